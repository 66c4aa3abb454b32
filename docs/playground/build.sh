#!/usr/bin/env bash
# Builds the page without a server into a folder, which any web server can offer: `bash docs/playground/build.sh FOLDER`
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"
target=${CARGO_TARGET_DIR:-$here/target}
[[ $target = /* ]] || target=$OLDPWD/$target
export CARGO_TARGET_DIR=$target
cargo build --release --locked --lib --target wasm32-unknown-unknown
cargo run --locked --quiet --package bindings -- "$target/wasm32-unknown-unknown/release/groundfrog_playground.wasm" "$out"
web=$here/../../arena/web
cp "$web"/*.js "$web"/*.css "$web"/*.svg "$out"
# The library in the page answers instead of a server; and the page may lie in any folder.
cp api.js tools.js tools.html "$out"
sed -e 's|="/|="./|g' -e 's|</nav>|<a href="./tools.html">Ground and analyse</a></nav>|' "$web/index.html" >"$out/index.html"
wasm=$out/groundfrog_playground_bg.wasm
size=$(wc -c <"$wasm")
echo "$size bytes of WebAssembly, $(gzip -9 -c "$wasm" | wc -c) packed"
if [[ $size -ge 3000000 ]]; then
    echo "that is more than 3 MB" >&2
    exit 1
fi
