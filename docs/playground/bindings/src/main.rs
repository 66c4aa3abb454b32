//! Writes the glue between a library for WebAssembly and JavaScript: `bindings LIBRARY.wasm FOLDER`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [library, folder] = &words[..] else {
        eprintln!("bindings LIBRARY.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindings = wasm_bindgen_cli_support::Bindgen::new();
    let written = bindings
        .input_path(library)
        .omit_default_module_path(false)
        .web(true)
        .and_then(|it| it.typescript(false).remove_name_section(true).generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
