//! Writes the glue between a library for WebAssembly and JavaScript: `bindings LIBRARY.wasm FOLDER`.

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    write();
}

#[cfg(not(target_arch = "wasm32"))]
fn write() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [library, folder] = &words[..] else {
        eprintln!("bindings LIBRARY.wasm FOLDER");
        std::process::exit(2);
    };
    let mut bindings = wasm_bindgen_cli_support::Bindgen::new();
    let written =
        bindings.input_path(library).web(true).and_then(|it| it.typescript(false).generate(folder));
    if let Err(error) = written {
        eprintln!("{error:?}");
        std::process::exit(1);
    }
}
