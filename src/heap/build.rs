//! Build script: embeds what stands in files.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    embed::embed("../../shapes", "shape", "shapes.rs")
}
