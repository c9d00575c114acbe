//! Exemptions from tax, as admins enter them.

use domain::accounts::access::Denied;
use domain::{
    Caller, Country, Day, Email, Exemption, ExemptionId, ExemptionKind, ExemptionRefused, Permission, Text, Timestamp,
    VatId,
};
use ports::{ExemptionRepeated, ListedExemption, VatAnswer};
use thiserror::Error;

use crate::{Failure, Tax};

/// An exemption as an admin enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExemption {
    pub email: Email,
    pub kind: ExemptionKind,
    pub country: Country,
    /// Only in this region: a code where the country has codes.
    pub region: Option<Text<60>>,
    pub number: Text<40>,
    pub valid_until: Option<Day>,
}

/// Why an exemption was not entered.
#[derive(Debug, Error)]
pub enum AddExemptionRefused {
    #[error("nobody has an account with this address")]
    NoAccount,
    #[error(transparent)]
    Number(#[from] ExemptionRefused),
    /// The register of the country does not know the number.
    #[error("nobody has this VAT number")]
    UnknownNumber,
    #[error(transparent)]
    Repeated(#[from] ExemptionRepeated),
}

/// An exemption and what it is good for today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnteredExemption {
    pub exemption: Exemption,
    pub email: Email,
    pub state: ExemptionState,
}

/// What an exemption is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExemptionState {
    /// It applies.
    Valid,
    /// Its number has not been confirmed, so the normal tax applies.
    Unchecked,
    /// Its last day is over.
    Expired,
}

impl Tax {
    /// The exemptions, those entered last first.
    ///
    /// # Errors
    /// [`Failure::Denied`] unless the caller may set taxes.
    pub async fn exemptions(&self, caller: &Caller) -> Result<Vec<EnteredExemption>, Failure> {
        caller.require(Permission::ManageProducts)?;
        let today = Day::of(self.clock.now());
        let listed = self.exemptions.list().await?;
        Ok(listed.into_iter().map(|listed| entered(listed, today)).collect())
    }

    /// Enters an exemption. The number of a reverse charge is looked up in its country's register; as long as that has not
    /// confirmed it, the exemption is kept and does not apply.
    ///
    /// # Errors
    /// [`AddExemptionRefused`], and as in [`Self::exemptions`].
    pub async fn add_exemption(
        &self,
        caller: &Caller,
        new: NewExemption,
    ) -> Result<ExemptionId, Failure<AddExemptionRefused>> {
        caller.require(Permission::ManageProducts)?;
        let refused = |refused: AddExemptionRefused| Failure::Refused(refused);
        let NewExemption { email, kind, country, region, number, valid_until } = new;
        let number = Exemption::number(kind, country, &number).map_err(|why| refused(why.into()))?;
        let account = self.accounts.by_email(&email).await?.filter(|credentials| !credentials.removed);
        let account = account.ok_or_else(|| refused(AddExemptionRefused::NoAccount))?.account.id;
        let checked_at = self.checked(kind, country, &number).await.map_err(refused)?;
        let id = ExemptionId::new(self.ids.fresh());
        let exemption = Exemption { id, account, kind, country, region, number, valid_until, checked_at };
        let added = self.exemptions.add(&exemption, self.clock.now()).await;
        added.map_err(|error| Failure::from(error).map(AddExemptionRefused::Repeated))?;
        Ok(id)
    }

    /// Removes an exemption.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there is no such exemption, and as in [`Self::exemptions`].
    pub async fn remove_exemption(&self, caller: &Caller, id: ExemptionId) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        if self.exemptions.remove(id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// When the register confirmed the number; `None` if it was not asked or did not answer.
    async fn checked(
        &self,
        kind: ExemptionKind,
        country: Country,
        number: &Text<40>,
    ) -> Result<Option<Timestamp>, AddExemptionRefused> {
        if kind != ExemptionKind::ReverseCharge {
            return Ok(None);
        }
        let id = VatId::new(country, number.as_str()).map_err(ExemptionRefused::from)?;
        match self.vat_check.check(&id).await {
            Ok(VatAnswer::Confirmed) => Ok(Some(self.clock.now())),
            Ok(VatAnswer::Unknown) => Err(AddExemptionRefused::UnknownNumber),
            Ok(VatAnswer::Unchecked) => Ok(None),
            Err(error) => {
                tracing::warn!(error = ports::error_chain(&error), "a VAT number could not be checked");
                Ok(None)
            }
        }
    }
}

fn entered(listed: ListedExemption, today: Day) -> EnteredExemption {
    let ListedExemption { exemption, email } = listed;
    let state = if exemption.valid_until.is_some_and(|until| until < today) {
        ExemptionState::Expired
    } else if exemption.applies(exemption.country, exemption.region.as_ref().map(Text::as_str), today) {
        ExemptionState::Valid
    } else {
        ExemptionState::Unchecked
    };
    EnteredExemption { exemption, email, state }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{Credentials, MockAccountRepository, MockExemptions, MockVatCheck, ProviderError};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, is_forbidden, now, ports};

    fn reverse_charge(number: &str) -> NewExemption {
        NewExemption {
            email: "nia@example.com".parse().unwrap(),
            kind: ExemptionKind::ReverseCharge,
            country: "DE".parse().unwrap(),
            region: None,
            number: Text::new(number).unwrap(),
            valid_until: None,
        }
    }

    fn service(check: MockVatCheck, exemptions: MockExemptions) -> Tax {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|email| Ok(Some(credentials(email.as_str()))));
        Tax::new(&Ports {
            accounts: Arc::new(accounts),
            exemptions: Arc::new(exemptions),
            vat_check: Arc::new(check),
            ..ports()
        })
    }

    fn id(id: u128) -> ExemptionId {
        ExemptionId::new(Uuid::from_u128(id))
    }

    fn listed(kind: ExemptionKind, valid_until: Option<Day>, checked_at: Option<Timestamp>) -> ListedExemption {
        let NewExemption { email, country, region, number, .. } = reverse_charge("DE123456789");
        let account = credentials(email.as_str()).account.id;
        let exemption = Exemption { id: id(1), account, kind, country, region, number, valid_until, checked_at };
        ListedExemption { exemption, email }
    }

    #[tokio::test]
    async fn only_a_number_that_the_register_confirms_is_checked() {
        let unreachable = || Err(ProviderError::Unavailable("time-out".into()));
        for (answer, confirmed) in
            [(Ok(VatAnswer::Confirmed), true), (Ok(VatAnswer::Unchecked), false), (unreachable(), false)]
        {
            let mut check = MockVatCheck::new();
            check.expect_check().times(1).return_once(|_| answer);
            let mut exemptions = MockExemptions::new();
            exemptions
                .expect_add()
                .times(1)
                .withf(move |exemption, _| {
                    exemption.number.as_str() == "DE123456789" && exemption.checked_at.is_some() == confirmed
                })
                .returning(|_, _| Ok(()));
            service(check, exemptions)
                .add_exemption(&caller(Role::Admin), reverse_charge("123 456 789"))
                .await
                .unwrap();
        }
    }

    #[tokio::test]
    async fn a_number_that_is_none_or_nobodys_is_refused() {
        let refused = service(MockVatCheck::new(), MockExemptions::new())
            .add_exemption(&caller(Role::Admin), reverse_charge("12"))
            .await;
        assert!(matches!(refused, Err(Failure::Refused(AddExemptionRefused::Number(_)))));
        let mut check = MockVatCheck::new();
        check.expect_check().returning(|_| Ok(VatAnswer::Unknown));
        let refused = service(check, MockExemptions::new())
            .add_exemption(&caller(Role::Admin), reverse_charge("DE123456789"))
            .await;
        assert!(matches!(refused, Err(Failure::Refused(AddExemptionRefused::UnknownNumber))));
    }

    #[tokio::test]
    async fn an_account_that_was_removed_gets_no_exemption() {
        let mut accounts = MockAccountRepository::new();
        accounts
            .expect_by_email()
            .times(1)
            .returning(|email| Ok(Some(Credentials { removed: true, ..credentials(email.as_str()) })));
        let service = Tax::new(&Ports { accounts: Arc::new(accounts), ..ports() });
        let refused = service.add_exemption(&caller(Role::Admin), reverse_charge("DE123456789")).await;
        assert!(matches!(refused, Err(Failure::Refused(AddExemptionRefused::NoAccount))));
    }

    #[tokio::test]
    async fn an_exemption_is_valid_through_its_last_day_and_a_reverse_charge_once_its_number_is_confirmed() {
        use ExemptionKind::{Resale, ReverseCharge};
        let today = Day::of(now());
        let (yesterday, tomorrow) = (today.earlier(1), Day::of(today.ends()));
        let cases = [
            (Resale, None, None, ExemptionState::Valid),
            (Resale, Some(tomorrow), None, ExemptionState::Valid),
            (Resale, Some(today), None, ExemptionState::Valid),
            (Resale, Some(yesterday), None, ExemptionState::Expired),
            (ReverseCharge, Some(today), None, ExemptionState::Unchecked),
            (ReverseCharge, Some(today), Some(now()), ExemptionState::Valid),
            (ReverseCharge, Some(yesterday), Some(now()), ExemptionState::Expired),
        ];
        let entered = cases.map(|(kind, until, checked_at, _)| listed(kind, until, checked_at));
        let mut exemptions = MockExemptions::new();
        exemptions.expect_list().times(1).return_once(move || Ok(Vec::from(entered)));
        let found = service(MockVatCheck::new(), exemptions).exemptions(&caller(Role::Admin)).await.unwrap();
        let expected = cases.map(|(kind, until, checked_at, state)| {
            let ListedExemption { exemption, email } = listed(kind, until, checked_at);
            EnteredExemption { exemption, email, state }
        });
        assert_eq!(found, expected);
    }

    #[tokio::test]
    async fn an_exemption_is_removed_and_one_that_is_not_there_is_not_found() {
        let mut exemptions = MockExemptions::new();
        exemptions.expect_remove().times(2).returning(|removed| Ok(removed == id(1)));
        let (service, admin) = (service(MockVatCheck::new(), exemptions), caller(Role::Admin));
        service.remove_exemption(&admin, id(1)).await.unwrap();
        let missing = service.remove_exemption(&admin, id(2)).await;
        assert!(matches!(missing, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn only_an_admin_sees_and_sets_exemptions() {
        // Neither register nor repository may be called.
        let service = service(MockVatCheck::new(), MockExemptions::new());
        let customer = caller(Role::Customer);
        assert!(is_forbidden(&service.exemptions(&customer).await));
        assert!(is_forbidden(&service.add_exemption(&customer, reverse_charge("DE123456789")).await));
        assert!(is_forbidden(&service.remove_exemption(&customer, id(1)).await));
    }
}
