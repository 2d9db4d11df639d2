//! C prototypes: parsing and printing.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type with the stars, such as `const long *`; `...` for variable arguments.
    pub c: String,
    /// Its name; empty for variable arguments.
    pub name: String,
}

impl Parameter {
    /// The parameter's declaration in a prototype.
    #[must_use]
    pub fn declared(&self) -> String {
        if self.name.is_empty() {
            self.c.clone()
        } else if self.c.ends_with('*') {
            format!("{}{}", self.c, self.name)
        } else {
            format!("{} {}", self.c, self.name)
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// The type of the result, with the stars.
    pub result: String,
    pub name: String,
    /// The parameters; empty for `void`.
    pub parameters: Vec<Parameter>,
}

/// Parses a type and a name, such as `const long *source`.
fn declaration(text: &str) -> Parameter {
    if text == "..." {
        return Parameter { c: text.into(), name: String::new() };
    }
    let at = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    Parameter { c: text[..at].trim_end().to_owned(), name: text[at..].to_owned() }
}

impl Prototype {
    /// Parses a prototype. A failure is a mistake in our own tables.
    ///
    /// # Panics
    /// The text has no parentheses.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (head, rest) = text.split_once('(').expect("a prototype of the tables has parentheses");
        let inside = rest.strip_suffix(')').expect("a prototype of the tables ends with a parenthesis");
        let named = declaration(head.trim());
        let parameters = match inside.trim() {
            "void" => Vec::new(),
            inside => inside.split(',').map(|part| declaration(part.trim())).collect(),
        };
        Self { result: named.c, name: named.name, parameters }
    }

    /// The parameters' declarations in a prototype.
    #[must_use]
    pub fn declared_parameters(&self) -> String {
        if self.parameters.is_empty() {
            return "void".into();
        }
        self.parameters.iter().map(Parameter::declared).collect::<Vec<_>>().join(", ")
    }

    /// The names of the parameters, as a call passes them on.
    #[must_use]
    pub fn passed(&self) -> String {
        self.parameters.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The prototype under another name.
    #[must_use]
    pub fn declared_as(&self, name: &str) -> String {
        let gap = if self.result.ends_with('*') { "" } else { " " };
        format!("{}{gap}{name}({})", self.result, self.declared_parameters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prototype_comes_back_as_it_was() {
        for text in [
            "void *shmem_ptr(const void *dest, int pe)",
            "void shmem_init(void)",
            "void shmem_pcontrol(int level, ...)",
            "unsigned long long shmem_ulonglong_g(const unsigned long long *source, int pe)",
        ] {
            let parsed = Prototype::parse(text);
            assert_eq!(parsed.declared_as(&parsed.name), text);
        }
        assert_eq!(Prototype::parse("int f(long *a, size_t n)").passed(), "a, n");
    }
}
