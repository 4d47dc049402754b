//! Structs that host and kernels share, declared once.
//!
//! [`device_structs`] defines a struct for the host and prints the same struct for the kernels. Both compilers check
//! it: here no field may be preceded by hidden padding, and in the kernels every field and every struct must have the
//! size it has here. Fields in the same order, of the same sizes, without padding, have the same offsets.

use std::fmt::Write;

/// A type that kernels can declare a variable of.
pub(crate) trait DeviceType {
    /// The declaration of a variable.
    fn declare(name: &str) -> String;
}

macro_rules! plain_types {
    ($($type:ty = $name:literal,)+) => {
        $(impl DeviceType for $type {
            fn declare(name: &str) -> String {
                format!(concat!($name, " {}"), name)
            }
        })+
    };
}

plain_types! {
    u8 = "u8",
    u16 = "u16",
    u32 = "u32",
    u64 = "u64",
    i32 = "int",
    f32 = "float",
}

impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    fn declare(name: &str) -> String {
        T::declare(&format!("{name}[{N}]"))
    }
}

/// A field as the kernels declare it, and how many bytes it has.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) declaration: String,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// A struct for the kernels, with everything asserted that the host expects of it.
pub(crate) fn declaration(name: &str, size: usize, fields: &[Field]) -> String {
    let mut text = format!("struct {name} {{\n");
    for Field { declaration, .. } in fields {
        let _ = writeln!(text, "    {declaration};");
    }
    let _ = writeln!(text, "}};\nstatic_assert(sizeof({name}) == {size}, \"{name} is larger on the host\");");
    for Field { name: field, size, .. } in fields {
        let _ = writeln!(text, "static_assert(sizeof({name}::{field}) == {size}, \"{name}::{field}\");");
    }
    // The compiler of CUDA need not know this builtin, and what is asserted above implies the rest.
    text.push_str("#ifndef __CUDACC__\n");
    for Field { name: field, offset, .. } in fields {
        let _ = writeln!(text, "static_assert(__builtin_offsetof({name}, {field}) == {offset}, \"{name}::{field}\");");
    }
    text.push_str("#endif\n\n");
    text
}

/// Numbers for the kernels, by their names: signed without a suffix, unsigned with `u`.
pub(crate) fn constants(numbers: &[(&str, usize)], suffix: &str) -> String {
    numbers.iter().fold(String::new(), |text, (name, number)| text + &format!("#define {name} {number}{suffix}\n"))
}

/// Defines structs for host and kernels. Behind the name of a struct is the one that the kernels know it by. An address
/// is a `u64` here; behind it is the pointer that it is there.
macro_rules! device_structs {
    ($($(#[$meta:meta])* $visibility:vis struct $name:ident = $device_name:literal {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty $(= $pointer:literal)?,)+
    })+) => {$(
        $(#[$meta])*
        #[repr(C)]
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type,)+
        }

        const _: () = {
            let mut end = 0;
            $(
                assert!(
                    std::mem::offset_of!($name, $field) == end,
                    concat!("there is hidden padding before ", stringify!($name), "::", stringify!($field))
                );
                end += size_of::<$type>();
            )+
            assert!(size_of::<$name>() == end, concat!("there is hidden padding at the end of ", stringify!($name)));
        };

        impl $crate::shared::DeviceType for $name {
            fn declare(name: &str) -> String {
                format!(concat!($device_name, " {}"), name)
            }
        }

        impl $name {
            /// The struct for the kernels.
            pub(crate) fn declaration() -> String {
                let fields = [$($crate::shared::Field {
                    name: stringify!($field),
                    declaration: $crate::shared::device_structs!(@field $field, $type $(, $pointer)?),
                    offset: std::mem::offset_of!($name, $field),
                    size: size_of::<$type>(),
                }),+];
                $crate::shared::declaration($device_name, size_of::<$name>(), &fields)
            }
        }

        // SAFETY: plain numbers laid out as C does, which is asserted above and where the kernels are compiled.
        unsafe impl cudarc::driver::DeviceRepr for $name {}
    )+};
    (@field $field:ident, $type:ty) => {
        <$type as $crate::shared::DeviceType>::declare(stringify!($field))
    };
    (@field $field:ident, $type:ty, $pointer:literal) => {
        format!("{} {}", $pointer, stringify!($field))
    };
}

pub(crate) use device_structs;

#[cfg(test)]
mod tests {
    device_structs! {
        /// A struct with everything there is.
        #[derive(Clone, Copy)]
        struct Sample = "Sample" {
            list: u64 = "const u16*",
            pair: [u32; 2],
            score: i32,
            padding: u32,
        }
    }

    #[test]
    fn a_struct_is_printed_for_the_kernels_with_its_sizes() {
        let text = Sample::declaration();
        for line in [
            "struct Sample {\n    const u16* list;\n    u32 pair[2];\n    int score;\n    u32 padding;\n};\n",
            "static_assert(sizeof(Sample) == 24, ",
            "static_assert(sizeof(Sample::pair) == 8, ",
            "static_assert(__builtin_offsetof(Sample, score) == 16, ",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
        assert_eq!(super::constants(&[("KEYS", 32)], "u"), "#define KEYS 32u\n");
    }
}
