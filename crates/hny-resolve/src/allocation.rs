//! How much memory an allocation takes.

/// What an allocator gives for so many bytes: up to the next of four sizes between two powers of two, and whole 16 bytes.
pub(crate) fn allocated(bytes: usize) -> usize {
    bytes.next_multiple_of((bytes.next_power_of_two() / 8).max(16))
}

#[test]
fn sizes_are_rounded_as_allocators_do() {
    let rounded: Vec<_> = [0, 1, 16, 17, 64, 65, 80, 81, 107, 128, 129, 160, 161, 8192, 8193].map(allocated).into();
    assert_eq!(rounded, [0, 16, 16, 32, 64, 80, 80, 96, 112, 128, 160, 160, 192, 8192, 10240]);
}
