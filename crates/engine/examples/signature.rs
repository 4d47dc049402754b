//! Prints how many nodes a short benchmark visits: the same number for every build of the same search.

fn main() {
    println!("{}", saavedra_engine::bench::run(6).nodes);
}
