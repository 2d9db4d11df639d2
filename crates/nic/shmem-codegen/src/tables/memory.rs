//! The symmetric heap.

use crate::page::{ApiPart, CallPrototype, ManualPage};

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_malloc",
        group: ApiPart::Memory,
        summary: "allocate symmetric memory",
        calls: &[CallPrototype::new("void *shmem_malloc(size_t size)", "return philae_shmem_malloc({what}, size, 0);")],
        arguments: &[("size", "How many bytes, the same on all PEs.")],
        description: "All PEs of the world call it with the same size. The block has the same place in the symmetric heap \
                      of each of them, and is aligned for any type. It ends with a barrier.",
        returns: "The address of the block; a null pointer where size is 0 or the heap has no room, on all PEs alike.",
        notes: "The heap's size is SHMEM_SYMMETRIC_SIZE. With SHMEM_DEBUG, PEs that ask for different sizes end with a \
                message that names both.",
        example: "long *table = (long *)shmem_malloc(1024 * sizeof(long));\nif (table == NULL)\n    shmem_global_exit(1);\n",
        see: &["shmem_free", "shmem_calloc", "shmem_malloc_with_hints"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_free",
        group: ApiPart::Memory,
        summary: "give symmetric memory back",
        calls: &[CallPrototype::new("void shmem_free(void *ptr)", "philae_shmem_free({what}, ptr);")],
        arguments: &[("ptr", "The block, or a null pointer.")],
        description: "All PEs of the world call it with the same block. It begins with a barrier. With a null pointer it \
                      does nothing.",
        see: &["shmem_malloc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_realloc",
        group: ApiPart::Memory,
        summary: "change the size of a block of symmetric memory",
        calls: &[CallPrototype::new(
            "void *shmem_realloc(void *ptr, size_t size)",
            "return philae_shmem_realloc({what}, ptr, size);",
        )],
        arguments: &[("ptr", "The block, or a null pointer."), ("size", "Its new size in bytes, the same on all PEs.")],
        description: "All PEs of the world call it. What the block holds stays, up to the smaller of both sizes. With a \
                      null pointer it is shmem_malloc; with size 0 it is shmem_free. It begins and ends with a barrier.",
        returns: "The address of the block, which may be another; a null pointer where size is 0 or the heap has no room, \
                  and then the old block stays as it was.",
        see: &["shmem_malloc", "shmem_free"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_align",
        group: ApiPart::Memory,
        summary: "allocate aligned symmetric memory",
        calls: &[CallPrototype::new(
            "void *shmem_align(size_t alignment, size_t size)",
            "return philae_shmem_align({what}, alignment, size);",
        )],
        arguments: &[
            (
                "alignment",
                "A power of two that is not above the heap's size. The standard asks for a multiple of sizeof(void *), too; \
                 here smaller ones work.",
            ),
            ("size", "How many bytes, the same on all PEs."),
        ],
        description: "As shmem_malloc, with an address that is a multiple of the alignment on every PE.",
        returns: "The address of the block, or a null pointer: no room, or no such alignment.",
        see: &["shmem_malloc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_malloc_with_hints",
        group: ApiPart::Memory,
        since: "1.5",
        summary: "allocate symmetric memory and say what it is for",
        calls: &[CallPrototype::new(
            "void *shmem_malloc_with_hints(size_t size, long hints)",
            "return philae_shmem_malloc({what}, size, hints);",
        )],
        arguments: &[
            ("size", "How many bytes, the same on all PEs."),
            (
                "hints",
                "0, or the sum of SHMEM_MALLOC_ATOMICS_REMOTE (other PEs will use it for atomics) and \
                 SHMEM_MALLOC_SIGNAL_REMOTE (other PEs will signal there).",
            ),
        ],
        description: "As shmem_malloc. A hint changes where in the heap the block is put, never what can be done with it.",
        returns: "The address of the block, or a null pointer.",
        see: &["shmem_malloc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_calloc",
        group: ApiPart::Memory,
        since: "1.4",
        summary: "allocate symmetric memory filled with zeros",
        calls: &[CallPrototype::new(
            "void *shmem_calloc(size_t count, size_t size)",
            "return philae_shmem_calloc({what}, count, size);",
        )],
        arguments: &[
            ("count", "How many elements, the same on all PEs."),
            ("size", "The bytes of one, the same on all PEs."),
        ],
        description: "As shmem_malloc for count times size bytes, all of them 0.",
        returns: "The address of the block; a null pointer where there is nothing to allocate, the product is too large, \
                  or the heap has no room.",
        see: &["shmem_malloc"],
        ..ManualPage::EMPTY
    },
];
