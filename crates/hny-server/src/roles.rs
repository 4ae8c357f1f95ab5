//! What a node answers.

/// A part of what there is to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Short links.
    Redirect,
    /// The API.
    Api,
    /// The home page, and what pages load.
    Pages,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Redirect, Self::Api, Self::Pages];

    /// What settings call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Redirect => "redirect",
            Self::Api => "api",
            Self::Pages => "pages",
        }
    }
}

/// The roles of a node. What belongs to another role is a 421 there (RFC 9110, section 15.5.20), for the node cannot say whether
/// there is such a thing; codes are reserved alike on all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles([bool; Role::ALL.len()]);

impl Roles {
    /// A node that answers everything.
    pub const fn all() -> Self {
        Self([true; Role::ALL.len()])
    }

    /// Whether the node has this role.
    pub const fn has(self, role: Role) -> bool {
        self.0[role as usize]
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<T: IntoIterator<Item = Role>>(roles: T) -> Self {
        let mut had = [false; Role::ALL.len()];
        for role in roles {
            had[role as usize] = true;
        }
        Self(had)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_the_roles_that_it_was_given() {
        let roles: Roles = [Role::Api, Role::Pages, Role::Api].into_iter().collect();
        assert_eq!(Role::ALL.map(|role| roles.has(role)), [false, true, true]);
        assert_eq!(Role::ALL.into_iter().collect::<Roles>(), Roles::all());
    }
}
