//! Descriptions in the relatives of GDL: rtGDL and MSL.

/// A description in rtGDL or MSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relative {
    /// The name: that of the file.
    pub name: &'static str,
    /// The description itself.
    pub text: &'static str,
    /// Whether it is a market in MSL; else it is a game in rtGDL.
    pub is_market: bool,
    /// What should hold in every course of a market: rules that derive `(violates NAME)`. Empty for games.
    pub properties: &'static str,
}

macro_rules! properties {
    (none $folder:literal $name:literal) => {
        ""
    };
    (some $folder:literal $name:literal) => {
        include_str!(concat!("../", $folder, "/", $name, ".properties"))
    };
}

macro_rules! relatives {
    ($($folder:literal $is_market:literal $properties:tt [$($name:literal)*])*) => {
        &[$($(Relative {
            name: $name,
            text: include_str!(concat!("../", $folder, "/", $name, ".kif")),
            is_market: $is_market,
            properties: properties!($properties $folder $name),
        }),*),*]
    };
}

static RELATIVES: &[Relative] = relatives! {
    "realtime" false none ["chicken" "fuse" "stopwatch"]
    "markets" true some ["double" "english" "sealed_bid" "vickrey"]
};

/// All descriptions in rtGDL and MSL.
pub fn relatives() -> &'static [Relative] {
    RELATIVES
}

/// The description of that name.
pub fn relative(name: &str) -> Option<&'static Relative> {
    RELATIVES.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        let root = env!("CARGO_MANIFEST_DIR");
        for (folder, is_market) in [("realtime", false), ("markets", true)] {
            let files = std::fs::read_dir(format!("{root}/{folder}")).expect("the folder");
            let names = files.filter_map(|it| it.ok()?.file_name().into_string().ok());
            let mut names: Vec<String> =
                names.filter_map(|it| Some(it.strip_suffix(".kif")?.to_owned())).collect();
            names.sort();
            let listed: Vec<&str> = relatives()
                .iter()
                .filter(|it| it.is_market == is_market)
                .map(|it| it.name)
                .collect();
            assert_eq!(names, listed);
        }
        assert_eq!(relative("chicken").map(|it| it.is_market), Some(false));
        assert_eq!(relative("tictactoe"), None);
    }
}
