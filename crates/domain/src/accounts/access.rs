//! Who may do what: one table, as data.
//!
//! Every deed asks on its first line. A visitor has no [`Caller`], so what a visitor may not do is refused before a
//! deed is reached; the table says so all the same, because the test that walks every route reads it.

use thiserror::Error;

use crate::{AccountId, Caller, Email, Role};

/// Something that a caller may or may not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Look at products, reviews, and what the client needs to know of the shop.
    Browse,
    /// Leave an address for the newsletter, sign up, sign in.
    Public,
    /// Add, restock, reprice and archive products, upload their pictures, and move them in and out as files.
    ManageProducts,
    /// Write a review.
    WriteReview,
    /// Take reviews down.
    ModerateReviews,
    /// See or change what the session itself is, and get an access token for it.
    UseOwnSession,
    /// See who has an account.
    ListAccounts,
    /// Give and take the admin role, and remove accounts.
    ManageAccounts,
    /// Ask whether somebody is an admin.
    ReadRole,
    /// Place an order.
    PlaceOrder,
    /// See a person's orders as a list.
    ListOrdersOf,
    /// See everybody's orders as a list, and what they come to.
    ListAllOrders,
    /// See one order and its timeline.
    ReadOrder,
    /// Pay for an order.
    PayOrder,
    /// Cancel an unpaid order.
    CancelOrder,
    /// Ship an order.
    ShipOrder,
    /// Send a paid order's money back, or some of it.
    RefundOrder,
    /// See what about money needs a person, and do something about it.
    ManagePayments,
    /// See what the shop tells the world, put back what was given up, and say which programs are told.
    ManageDeliveries,
    /// Read and write a person's profile.
    KeepProfile,
}

/// How far a permission reaches for one kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// For anybody's.
    Any,
    /// For one's own; another's is refused openly.
    Own,
    /// For one's own; another's looks as if it did not exist.
    OwnElseNotFound,
    /// Not for this role.
    Never,
    /// Only for somebody who has signed in.
    SignIn,
}

/// One permission's line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Somebody who has not signed in.
    pub visitor: Grant,
    /// A signed-in person.
    pub customer: Grant,
    /// A signed-in admin.
    pub admin: Grant,
}

/// Why a caller may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Denied {
    /// Their role does not allow it, or it is another's.
    #[error("You are not authorized to do this")]
    Forbidden,
    /// It is another's, and nobody is told that it exists.
    #[error("not found")]
    NotFound,
}

impl Permission {
    /// Every permission there is.
    pub const ALL: [Self; 20] = [
        Self::Browse,
        Self::Public,
        Self::ManageProducts,
        Self::WriteReview,
        Self::ModerateReviews,
        Self::UseOwnSession,
        Self::ListAccounts,
        Self::ManageAccounts,
        Self::ReadRole,
        Self::PlaceOrder,
        Self::ListOrdersOf,
        Self::ListAllOrders,
        Self::ReadOrder,
        Self::PayOrder,
        Self::CancelOrder,
        Self::ShipOrder,
        Self::RefundOrder,
        Self::ManagePayments,
        Self::ManageDeliveries,
        Self::KeepProfile,
    ];

    /// This permission's line of the table.
    #[must_use]
    pub const fn policy(self) -> Policy {
        use Grant::{Any, Never, Own, OwnElseNotFound, SignIn};
        let (visitor, customer, admin) = match self {
            Self::Browse | Self::Public => (Any, Any, Any),
            Self::WriteReview => (SignIn, Any, Any),
            Self::ManageProducts
            | Self::ModerateReviews
            | Self::ListAccounts
            | Self::ManageAccounts
            | Self::ListAllOrders
            | Self::ShipOrder
            | Self::RefundOrder
            | Self::ManagePayments
            | Self::ManageDeliveries => (SignIn, Never, Any),
            Self::ReadRole | Self::ListOrdersOf => (SignIn, Own, Any),
            Self::UseOwnSession | Self::PlaceOrder | Self::KeepProfile => (SignIn, Own, Own),
            Self::ReadOrder | Self::CancelOrder => (SignIn, OwnElseNotFound, Any),
            Self::PayOrder => (SignIn, OwnElseNotFound, OwnElseNotFound),
        };
        Policy { visitor, customer, admin }
    }
}

impl Caller {
    /// Asks for something that belongs to nobody in particular.
    ///
    /// # Errors
    /// [`Denied::Forbidden`] unless the caller's role may.
    pub fn require(&self, permission: Permission) -> Result<(), Denied> {
        self.check(permission, true)
    }

    /// Asks for something of a person's.
    ///
    /// # Errors
    /// [`Denied`] unless it is the caller's own, or the caller's role reaches further.
    pub fn require_owner(&self, permission: Permission, owner: AccountId) -> Result<(), Denied> {
        self.check(permission, owner == self.account)
    }

    /// Asks for something of the person with an address.
    ///
    /// # Errors
    /// [`Denied`] unless the address is the caller's own, or the caller's role reaches further. A string that is no
    /// address is nobody's, so it is not the caller's either.
    pub fn require_self(&self, permission: Permission, person: &str) -> Result<(), Denied> {
        self.check(permission, person.parse::<Email>().is_ok_and(|email| email == self.email))
    }

    fn check(&self, permission: Permission, own: bool) -> Result<(), Denied> {
        let policy = permission.policy();
        let grant = match self.role {
            Role::Customer => policy.customer,
            Role::Admin => policy.admin,
        };
        match grant {
            Grant::Any => Ok(()),
            Grant::Own | Grant::OwnElseNotFound if own => Ok(()),
            Grant::OwnElseNotFound => Err(Denied::NotFound),
            Grant::Own | Grant::Never | Grant::SignIn => Err(Denied::Forbidden),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::SessionId;

    fn caller(role: Role) -> Caller {
        Caller {
            session: SessionId::new(Uuid::from_u128(1)),
            account: AccountId::new(Uuid::from_u128(2)),
            email: "someone@example.com".parse().unwrap(),
            role,
        }
    }

    fn somebody_else() -> AccountId {
        AccountId::new(Uuid::from_u128(3))
    }

    #[test]
    fn a_customer_runs_nothing() {
        let customer = caller(Role::Customer);
        for permission in [
            Permission::ManageProducts,
            Permission::ModerateReviews,
            Permission::ListAccounts,
            Permission::ManageAccounts,
            Permission::ListAllOrders,
            Permission::ShipOrder,
            Permission::RefundOrder,
            Permission::ManagePayments,
            Permission::ManageDeliveries,
        ] {
            assert_eq!(customer.require(permission), Err(Denied::Forbidden), "{permission:?}");
            assert_eq!(caller(Role::Admin).require(permission), Ok(()), "{permission:?}");
        }
    }

    #[test]
    fn anothers_order_looks_absent_to_a_customer_and_open_to_an_admin() {
        let customer = caller(Role::Customer);
        assert_eq!(customer.require_owner(Permission::ReadOrder, somebody_else()), Err(Denied::NotFound));
        assert_eq!(customer.require_owner(Permission::ReadOrder, customer.account), Ok(()));
        assert_eq!(caller(Role::Admin).require_owner(Permission::ReadOrder, somebody_else()), Ok(()));
    }

    #[test]
    fn nobody_pays_for_anothers_order_or_reads_anothers_profile() {
        for role in [Role::Customer, Role::Admin] {
            assert_eq!(caller(role).require_owner(Permission::PayOrder, somebody_else()), Err(Denied::NotFound));
            assert_eq!(caller(role).require_owner(Permission::KeepProfile, somebody_else()), Err(Denied::Forbidden));
        }
    }

    #[test]
    fn a_visitor_may_look_and_knock_and_nothing_else() {
        for permission in Permission::ALL {
            let open = matches!(permission, Permission::Browse | Permission::Public);
            let expected = if open { Grant::Any } else { Grant::SignIn };
            assert_eq!(permission.policy().visitor, expected, "{permission:?}");
        }
    }

    #[test]
    fn an_admin_may_do_whatever_a_customer_may() {
        for permission in Permission::ALL {
            for owner in [caller(Role::Customer).account, somebody_else()] {
                if caller(Role::Customer).require_owner(permission, owner).is_ok() {
                    assert_eq!(caller(Role::Admin).require_owner(permission, owner), Ok(()), "{permission:?}");
                }
            }
        }
    }
}
