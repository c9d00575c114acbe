//! How far a caller has to have proved who they are.

use std::time::Duration;

use crate::accounts::second_factor::{FRESH, SecondFactor, SecondFactorNeeded, SecondFactorPolicy};
use crate::{Caller, Role, Timestamp};

impl Caller {
    /// The caller as the policy lets them act: an admin without the second factor that it requires acts as a customer.
    #[must_use]
    pub fn held_to(self, policy: SecondFactorPolicy) -> Self {
        match (policy, self.role, self.second_factor) {
            (SecondFactorPolicy::Required, Role::Admin, SecondFactor::None) => {
                Self { role: Role::Customer, second_factor: SecondFactor::Missing, ..self }
            }
            _ => self,
        }
    }

    /// Checks that the session has proved the account's second factor, if it has one.
    ///
    /// # Errors
    /// [`SecondFactorNeeded::Proof`].
    pub fn require_proof(&self) -> Result<(), SecondFactorNeeded> {
        if self.second_factor == SecondFactor::Unproved { Err(SecondFactorNeeded::Proof) } else { Ok(()) }
    }

    /// Checks that the account has the second factor that an admin needs.
    ///
    /// # Errors
    /// [`SecondFactorNeeded::Enrolment`].
    pub fn require_enrolment(&self) -> Result<(), SecondFactorNeeded> {
        if self.second_factor == SecondFactor::Missing { Err(SecondFactorNeeded::Enrolment) } else { Ok(()) }
    }

    /// Checks that the session has proved the account's second factor within ten minutes, if it has one.
    ///
    /// # Errors
    /// [`SecondFactorNeeded`].
    pub fn require_fresh_proof(&self, now: Timestamp) -> Result<(), SecondFactorNeeded> {
        match self.second_factor {
            SecondFactor::None => Ok(()),
            SecondFactor::Missing => Err(SecondFactorNeeded::Enrolment),
            SecondFactor::Unproved => Err(SecondFactorNeeded::Proof),
            SecondFactor::Proved(at) if is_fresh(at, now) => Ok(()),
            SecondFactor::Proved(_) => Err(SecondFactorNeeded::FreshProof),
        }
    }

    /// Checks that the caller may change what the account proves itself with: by a fresh proof, or by a fresh sign-in while
    /// there is nothing to prove. A token or cookie that was stolen later is not enough.
    ///
    /// # Errors
    /// [`SecondFactorNeeded`].
    pub fn require_fresh_identity(&self, now: Timestamp) -> Result<(), SecondFactorNeeded> {
        match self.second_factor {
            SecondFactor::None | SecondFactor::Missing if is_fresh(self.signed_in_at, now) => Ok(()),
            SecondFactor::None | SecondFactor::Missing => Err(SecondFactorNeeded::FreshSignIn),
            SecondFactor::Unproved | SecondFactor::Proved(_) => self.require_fresh_proof(now),
        }
    }
}

/// A moment that is ahead, by another instance's clock, is as good as now.
fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    Duration::try_from(now.duration_since(at)).map_or(true, |age| age <= FRESH)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::accounts::access::{Denied, Permission};
    use crate::{AccountId, SessionId};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn caller(role: Role, second_factor: SecondFactor) -> Caller {
        Caller {
            session: SessionId::new(Uuid::from_u128(1)),
            account: AccountId::new(Uuid::from_u128(2)),
            email: "someone@example.com".parse().unwrap(),
            role,
            signed_in_at: at(0),
            second_factor,
        }
    }

    #[test]
    fn an_admin_without_the_required_factor_acts_as_a_customer_and_hears_what_is_missing() {
        let admin = caller(Role::Admin, SecondFactor::None).held_to(SecondFactorPolicy::Required);
        assert_eq!((admin.role, admin.second_factor), (Role::Customer, SecondFactor::Missing));
        assert_eq!(admin.require(Permission::PlaceOrder), Ok(()));
        for permission in Permission::ALL {
            let customers = caller(Role::Customer, SecondFactor::None);
            let strangers = AccountId::new(Uuid::from_u128(9));
            let refused = customers.require_owner(permission, strangers);
            let as_admin = caller(Role::Admin, SecondFactor::Proved(at(0))).require_owner(permission, strangers);
            let expected = if refused.is_err() && as_admin.is_ok() {
                Err(Denied::SecondFactor(SecondFactorNeeded::Enrolment))
            } else {
                refused
            };
            assert_eq!(admin.require_owner(permission, strangers), expected, "{permission:?}");
        }
    }

    #[test]
    fn the_policy_changes_nobody_else() {
        for policy in [SecondFactorPolicy::Required, SecondFactorPolicy::Optional] {
            for factor in [SecondFactor::None, SecondFactor::Unproved, SecondFactor::Proved(at(0))] {
                for role in Role::ALL {
                    if (policy, role, factor) != (SecondFactorPolicy::Required, Role::Admin, SecondFactor::None) {
                        assert_eq!(caller(role, factor).held_to(policy), caller(role, factor));
                    }
                }
            }
        }
    }

    #[test]
    fn an_unproved_session_may_do_nothing_but_use_itself() {
        for role in Role::ALL {
            let unproved = caller(role, SecondFactor::Unproved);
            for permission in Permission::ALL {
                let expected = if permission == Permission::UseOwnSession {
                    Ok(())
                } else {
                    Err(Denied::SecondFactor(SecondFactorNeeded::Proof))
                };
                assert_eq!(unproved.require_owner(permission, unproved.account), expected, "{permission:?}");
            }
            assert_eq!(unproved.require_proof(), Err(SecondFactorNeeded::Proof));
        }
    }

    #[test]
    fn a_proof_is_fresh_for_ten_minutes() {
        let proved = caller(Role::Admin, SecondFactor::Proved(at(0)));
        for (now, expected) in [(-90, Ok(())), (0, Ok(())), (600, Ok(())), (601, Err(SecondFactorNeeded::FreshProof))] {
            assert_eq!(proved.require_fresh_proof(at(now)), expected, "{now}");
            assert_eq!(proved.require_fresh_identity(at(now)), expected, "{now}");
        }
        assert_eq!(caller(Role::Admin, SecondFactor::None).require_fresh_proof(at(601)), Ok(()));
        let missing = caller(Role::Customer, SecondFactor::Missing);
        assert_eq!(missing.require_fresh_proof(at(0)), Err(SecondFactorNeeded::Enrolment));
    }

    #[test]
    fn the_first_factor_is_added_within_ten_minutes_of_the_sign_in() {
        for factor in [SecondFactor::None, SecondFactor::Missing] {
            let caller = caller(Role::Customer, factor);
            assert_eq!(caller.require_fresh_identity(at(600)), Ok(()));
            assert_eq!(caller.require_fresh_identity(at(601)), Err(SecondFactorNeeded::FreshSignIn));
        }
        let unproved = caller(Role::Customer, SecondFactor::Unproved);
        assert_eq!(unproved.require_fresh_identity(at(0)), Err(SecondFactorNeeded::Proof));
    }

    #[test]
    fn only_an_admin_who_lacks_the_required_factor_has_to_add_one_first() {
        let missing = caller(Role::Customer, SecondFactor::Missing);
        assert_eq!(missing.require_enrolment(), Err(SecondFactorNeeded::Enrolment));
        for factor in [SecondFactor::None, SecondFactor::Unproved, SecondFactor::Proved(at(0))] {
            assert_eq!(caller(Role::Admin, factor).require_enrolment(), Ok(()), "{factor:?}");
        }
    }
}
