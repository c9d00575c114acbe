//! Permissions: who may do what, as one table of data.
//!
//! Every use case checks its permission first. A visitor has no [`Caller`], so the authentication middleware refuses
//! visitors before a use case runs. The table lists visitors nevertheless, because the test that covers every route
//! reads it.

use thiserror::Error;

use crate::accounts::second_factor::{SecondFactor, SecondFactorNeeded};
use crate::{AccountId, Caller, Email, Role};

/// An action, or group of actions, that a caller needs permission for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Read products, reviews, vehicles, and the public settings that the client needs.
    Browse,
    /// Subscribe to the newsletter, sign up, sign in.
    Public,
    /// Add, restock, reprice and archive products, upload their pictures, import and export them as files, and set freight
    /// and tax.
    ManageProducts,
    /// Write a review.
    WriteReview,
    /// Remove reviews from the lists, see those that were removed, and put them back.
    ModerateReviews,
    /// Read or change the own session, and get an access token for it.
    UseOwnSession,
    /// List all accounts.
    ListAccounts,
    /// Grant and revoke the admin role, and remove accounts.
    ManageAccounts,
    /// Read whether an account is an admin.
    ReadRole,
    /// Place an order.
    PlaceOrder,
    /// List the orders of one account.
    ListOrdersOf,
    /// List all orders, and see the sales figures.
    ListAllOrders,
    /// Read one order and its timeline.
    ReadOrder,
    /// Pay for an order.
    PayOrder,
    /// Cancel an unpaid order.
    CancelOrder,
    /// Ask to return units of a shipped order.
    RequestReturn,
    /// Accept and decline returns.
    DecideReturn,
    /// Write, read and remove internal notes about orders and customers.
    KeepNotes,
    /// Ship an order.
    ShipOrder,
    /// Refund a paid order, in full or in part.
    RefundOrder,
    /// See which payments need attention, and resolve them.
    ManagePayments,
    /// See deliveries, requeue dead ones, and manage webhook subscriptions.
    ManageDeliveries,
    /// Read the trail of what admins changed.
    ReadAudit,
    /// Read and write the profile of an account.
    KeepProfile,
    /// Read and change the vehicles of one's own garage.
    KeepGarage,
    /// Check quick orders, and read and change one's own cart and saved lists.
    KeepBasket,
    /// Read and change the addresses of one's own address book.
    KeepAddresses,
}

/// How far a permission goes for one kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// Allowed, whoever owns the resource.
    Any,
    /// Allowed for the caller's own resources; another account's is refused with [`Denied::Forbidden`].
    Own,
    /// Allowed for the caller's own resources; another account's is reported as not found.
    OwnElseNotFound,
    /// Not allowed for this role.
    Never,
    /// Requires signing in.
    SignIn,
}

impl Grant {
    fn check(self, own: bool) -> Result<(), Denied> {
        match self {
            Self::Any => Ok(()),
            Self::Own | Self::OwnElseNotFound if own => Ok(()),
            Self::OwnElseNotFound => Err(Denied::NotFound),
            Self::Own | Self::Never | Self::SignIn => Err(Denied::Forbidden),
        }
    }
}

/// One permission's row in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// A visitor who is not signed in.
    pub visitor: Grant,
    /// A signed-in customer.
    pub customer: Grant,
    /// A signed-in admin.
    pub admin: Grant,
}

/// Why a caller is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Denied {
    /// The role does not allow it, or the resource belongs to another account.
    #[error("You are not authorized to do this")]
    Forbidden,
    /// The resource belongs to another account, and its existence is not revealed.
    #[error("not found")]
    NotFound,
    /// The session has to prove more first.
    #[error(transparent)]
    SecondFactor(SecondFactorNeeded),
}

impl From<SecondFactorNeeded> for Denied {
    fn from(needed: SecondFactorNeeded) -> Self {
        Self::SecondFactor(needed)
    }
}

impl Permission {
    /// Every permission.
    pub const ALL: [Self; 27] = [
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
        Self::RequestReturn,
        Self::DecideReturn,
        Self::KeepNotes,
        Self::ShipOrder,
        Self::RefundOrder,
        Self::ManagePayments,
        Self::ManageDeliveries,
        Self::ReadAudit,
        Self::KeepProfile,
        Self::KeepGarage,
        Self::KeepBasket,
        Self::KeepAddresses,
    ];

    /// This permission's row in the table.
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
            | Self::DecideReturn
            | Self::KeepNotes
            | Self::ShipOrder
            | Self::RefundOrder
            | Self::ManagePayments
            | Self::ManageDeliveries
            | Self::ReadAudit => (SignIn, Never, Any),
            Self::ReadRole | Self::ListOrdersOf => (SignIn, Own, Any),
            Self::UseOwnSession | Self::PlaceOrder | Self::KeepProfile => (SignIn, Own, Own),
            Self::ReadOrder | Self::CancelOrder => (SignIn, OwnElseNotFound, Any),
            Self::PayOrder | Self::RequestReturn | Self::KeepGarage | Self::KeepBasket | Self::KeepAddresses => {
                (SignIn, OwnElseNotFound, OwnElseNotFound)
            }
        };
        Policy { visitor, customer, admin }
    }

    /// Whether only admins have the permission for something that is not their own: what they do by it is audited.
    #[must_use]
    pub const fn is_for_admins(self) -> bool {
        let policy = self.policy();
        matches!(policy.admin, Grant::Any) && !matches!(policy.customer, Grant::Any)
    }

    /// Whether customers have the permission for what is their own.
    #[must_use]
    pub const fn is_for_owners(self) -> bool {
        matches!(self.policy().customer, Grant::Own | Grant::OwnElseNotFound)
    }
}

impl Caller {
    /// Checks a permission on something that has no owner.
    ///
    /// # Errors
    /// [`Denied::Forbidden`] unless the caller's role allows it.
    pub fn require(&self, permission: Permission) -> Result<(), Denied> {
        self.check(permission, true)
    }

    /// Checks a permission on a resource of the account `owner`.
    ///
    /// # Errors
    /// [`Denied`] unless the caller is the owner, or the role allows it for every owner.
    pub fn require_owner(&self, permission: Permission, owner: AccountId) -> Result<(), Denied> {
        self.check(permission, owner == self.account)
    }

    /// Checks a permission on a resource of the account with this e-mail address.
    ///
    /// # Errors
    /// [`Denied`] unless the address is the caller's own, or the role allows it for every owner. A string that is not
    /// an e-mail address is never the caller's own.
    pub fn require_self(&self, permission: Permission, address: &str) -> Result<(), Denied> {
        self.check(permission, address.parse::<Email>().is_ok_and(|email| email == self.email))
    }

    fn check(&self, permission: Permission, own: bool) -> Result<(), Denied> {
        if permission != Permission::UseOwnSession {
            self.require_proof()?;
        }
        let policy = permission.policy();
        let allowed = match self.role {
            Role::Customer => policy.customer.check(own),
            Role::Admin => policy.admin.check(own),
        };
        if allowed.is_err() && self.second_factor == SecondFactor::Missing && policy.admin.check(own).is_ok() {
            return Err(SecondFactorNeeded::Enrolment.into());
        }
        allowed
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
            signed_in_at: crate::Timestamp::UNIX_EPOCH,
            second_factor: SecondFactor::None,
        }
    }

    fn somebody_else() -> AccountId {
        AccountId::new(Uuid::from_u128(3))
    }

    #[test]
    fn a_customer_has_no_admin_permission() {
        let customer = caller(Role::Customer);
        for permission in [
            Permission::ManageProducts,
            Permission::ModerateReviews,
            Permission::ListAccounts,
            Permission::ManageAccounts,
            Permission::ListAllOrders,
            Permission::DecideReturn,
            Permission::KeepNotes,
            Permission::ShipOrder,
            Permission::RefundOrder,
            Permission::ManagePayments,
            Permission::ManageDeliveries,
            Permission::ReadAudit,
        ] {
            assert_eq!(customer.require(permission), Err(Denied::Forbidden), "{permission:?}");
            assert_eq!(caller(Role::Admin).require(permission), Ok(()), "{permission:?}");
        }
    }

    #[test]
    fn another_accounts_order_is_not_found_for_a_customer_and_readable_by_an_admin() {
        let customer = caller(Role::Customer);
        assert_eq!(customer.require_owner(Permission::ReadOrder, somebody_else()), Err(Denied::NotFound));
        assert_eq!(customer.require_owner(Permission::ReadOrder, customer.account), Ok(()));
        assert_eq!(caller(Role::Admin).require_owner(Permission::ReadOrder, somebody_else()), Ok(()));
    }

    #[test]
    fn no_role_pays_for_another_accounts_order_or_reads_its_profile() {
        for role in [Role::Customer, Role::Admin] {
            assert_eq!(caller(role).require_owner(Permission::PayOrder, somebody_else()), Err(Denied::NotFound));
            assert_eq!(caller(role).require_owner(Permission::KeepProfile, somebody_else()), Err(Denied::Forbidden));
        }
    }

    #[test]
    fn a_visitor_has_only_the_browse_and_public_permissions() {
        for permission in Permission::ALL {
            let open = matches!(permission, Permission::Browse | Permission::Public);
            let expected = if open { Grant::Any } else { Grant::SignIn };
            assert_eq!(permission.policy().visitor, expected, "{permission:?}");
        }
    }

    #[test]
    fn an_admin_may_do_everything_that_a_customer_may() {
        for permission in Permission::ALL {
            for owner in [caller(Role::Customer).account, somebody_else()] {
                if caller(Role::Customer).require_owner(permission, owner).is_ok() {
                    assert_eq!(caller(Role::Admin).require_owner(permission, owner), Ok(()), "{permission:?}");
                }
            }
        }
    }

    #[test]
    fn what_only_admins_may_do_for_others_is_audited_and_what_is_ones_own_has_an_owner() {
        use Permission::{
            Browse, CancelOrder, DecideReturn, KeepAddresses, KeepBasket, KeepGarage, KeepNotes, KeepProfile,
            ListAccounts, ListAllOrders, ListOrdersOf, ManageAccounts, ManageDeliveries, ManagePayments,
            ManageProducts, ModerateReviews, PayOrder, PlaceOrder, Public, ReadAudit, ReadOrder, ReadRole, RefundOrder,
            RequestReturn, ShipOrder, UseOwnSession, WriteReview,
        };
        // Permission, for admins, for owners.
        let table = [
            (vec![Browse, Public, WriteReview], false, false),
            (
                vec![ManageProducts, ModerateReviews, ListAccounts, ManageAccounts, ListAllOrders, DecideReturn],
                true,
                false,
            ),
            (vec![KeepNotes, ShipOrder, RefundOrder, ManagePayments, ManageDeliveries, ReadAudit], true, false),
            (vec![ReadRole, ListOrdersOf, ReadOrder, CancelOrder], true, true),
            (vec![UseOwnSession, PlaceOrder, KeepProfile, PayOrder, RequestReturn], false, true),
            (vec![KeepGarage, KeepBasket, KeepAddresses], false, true),
        ];
        assert_eq!(table.iter().map(|(permissions, ..)| permissions.len()).sum::<usize>(), Permission::ALL.len());
        for (permissions, for_admins, for_owners) in table {
            for permission in permissions {
                assert_eq!(permission.is_for_admins(), for_admins, "{permission:?}");
                assert_eq!(permission.is_for_owners(), for_owners, "{permission:?}");
            }
        }
    }

    #[test]
    fn ones_own_is_what_has_ones_own_address_however_it_is_written() {
        let customer = caller(Role::Customer);
        for own in ["someone@example.com", "Someone@Example.com"] {
            assert_eq!(customer.require_self(Permission::ListOrdersOf, own), Ok(()), "{own}");
        }
        for others in ["another@example.com", "", "someone"] {
            assert_eq!(customer.require_self(Permission::ListOrdersOf, others), Err(Denied::Forbidden), "{others}");
            assert_eq!(caller(Role::Admin).require_self(Permission::ListOrdersOf, others), Ok(()), "{others}");
        }
    }
}
