//! Expands the tables into functions: every typed, sized and context form.

use crate::page::{ApiPart, CallPrototype, Expansion, ManualPage, Selected};
use crate::prototype::{Parameter, Prototype};
use crate::tables::PAGES;
use crate::types::Type;

/// One public C function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function's prototype.
    pub prototype: Prototype,
    /// The function's body, in braces.
    pub body: String,
    /// Whether programs inline it.
    pub inlined: bool,
    /// The type in its name.
    pub of: Option<Type>,
    /// Whether it takes a context first, and a form without a context exists.
    pub takes_ctx: bool,
    /// Its generic name, and the argument that selects the type.
    pub generic: Option<(&'static str, Selected)>,
    /// The page that documents it.
    pub page: &'static ManualPage,
}

impl Function {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.prototype.name
    }

    /// Its name in the profiling interface; names without the standard's prefix have none.
    #[must_use]
    pub fn profiling_name(&self) -> Option<String> {
        let name = self.name();
        (name.starts_with("shmem_") || name.starts_with("shmemx_")).then(|| format!("p{name}"))
    }

    /// Whether `shmemx.h` declares it.
    #[must_use]
    pub fn is_extension(&self) -> bool {
        self.page.group == ApiPart::Extensions
    }
}

/// The name of the form that takes a context: `shmem_put8` is `shmem_ctx_put8`.
#[must_use]
pub fn ctx_name(name: &str) -> String {
    let (prefix, rest) = name.split_once('_').expect("a name of the tables has an underscore");
    format!("{prefix}_ctx_{rest}")
}

fn one(
    page: &'static ManualPage,
    call: &CallPrototype,
    of: Option<Type>,
    size: Option<u32>,
    takes_ctx: bool,
) -> Function {
    let fill = |text: &str| {
        let mut text = text.to_owned();
        if let Some(of) = of {
            text = text.replace("{T}", of.c).replace("{N}", of.name).replace("{K}", &of.kind_in_c());
            text = text.replace("{B}", &format!("sizeof({})", of.c));
        }
        if let Some(size) = size {
            text = text.replace("{S}", &size.to_string()).replace("{B}", &(size / 8).to_string());
        }
        text.replace("{B}", "1")
    };
    let mut prototype = Prototype::parse(&fill(call.prototype));
    if takes_ctx {
        prototype.name = ctx_name(&prototype.name);
        prototype.parameters.insert(0, Parameter { c: "shmem_ctx_t".into(), name: "ctx".into() });
    }
    let body = fill(call.body)
        .replace("{what}", &format!("\"{}\"", prototype.name))
        .replace("{ctx}", if takes_ctx { "ctx" } else { "SHMEM_CTX_DEFAULT" });
    // A macro is a whole body; other bodies are statements.
    let body = if body.starts_with("PHILAE_SHMEM_") { body } else { format!("{{ {body} }}") };
    Function { prototype, body, inlined: call.inlined, of, takes_ctx, generic: call.generic, page }
}

/// The functions of one call: without and with a context.
#[must_use]
pub fn of_call(page: &'static ManualPage, call: &CallPrototype) -> Vec<Function> {
    let mut all = Vec::new();
    for takes_ctx in if call.ctx { &[false, true][..] } else { &[false] } {
        match call.over {
            Expansion::Once => all.push(one(page, call, None, None, *takes_ctx)),
            Expansion::Types(types) => all.extend(types.iter().map(|of| one(page, call, Some(*of), None, *takes_ctx))),
            Expansion::Sizes(sizes) => {
                all.extend(sizes.iter().map(|size| one(page, call, None, Some(*size), *takes_ctx)))
            }
        }
    }
    all
}

/// The functions of a page.
#[must_use]
pub fn of_page(page: &'static ManualPage) -> Vec<Function> {
    page.calls.iter().flat_map(|call| of_call(page, call)).collect()
}

/// All public functions, in the order of the groups and of their pages.
#[must_use]
pub fn functions() -> Vec<Function> {
    pages().into_iter().flat_map(of_page).collect()
}

/// All pages, in the order of the groups.
#[must_use]
pub fn pages() -> Vec<&'static ManualPage> {
    ApiPart::ALL
        .iter()
        .flat_map(|group| PAGES.iter().copied().flatten().filter(move |page| page.group == *group))
        .collect()
}
