//! Shipping methods, as admins manage them.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ShippingMethod, ShippingMethodId, ShippingTerms};
use ports::{MethodNameTaken, UnweighedProduct};

use crate::{Delivery, Failure};

impl Delivery {
    /// All shipping methods.
    ///
    /// # Errors
    /// [`Failure::Denied`] unless the caller may set freight.
    pub async fn shipping_methods(&self, caller: &Caller) -> Result<Vec<ShippingMethod>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.methods.list().await?)
    }

    /// Products that are delivered as if they weighed nothing.
    ///
    /// # Errors
    /// As in [`Self::shipping_methods`].
    pub async fn unweighed_products(&self, caller: &Caller) -> Result<Vec<UnweighedProduct>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.methods.unweighed().await?)
    }

    /// Adds a shipping method.
    ///
    /// # Errors
    /// [`MethodNameTaken`], and as in [`Self::shipping_methods`].
    pub async fn add_shipping_method(
        &self,
        caller: &Caller,
        terms: &ShippingTerms,
    ) -> Result<ShippingMethodId, Failure<MethodNameTaken>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.methods.add(terms).await?)
    }

    /// Replaces the terms of a shipping method.
    ///
    /// # Errors
    /// [`MethodNameTaken`], [`Denied::NotFound`] if there is no such method, and as in [`Self::shipping_methods`].
    pub async fn edit_shipping_method(
        &self,
        caller: &Caller,
        method: &ShippingMethod,
    ) -> Result<(), Failure<MethodNameTaken>> {
        caller.require(Permission::ManageProducts)?;
        if self.methods.replace(method).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// Removes a shipping method.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there is no such method, and as in [`Self::shipping_methods`].
    pub async fn remove_shipping_method(&self, caller: &Caller, id: ShippingMethodId) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        if self.methods.remove(id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Divisor, Grams, Money, ProductId, Role, Text, WeightBand, WeightBands};
    use ports::MockShippingMethods;
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, is_forbidden, is_not_found, ports};

    fn service(methods: MockShippingMethods) -> Delivery {
        Delivery::new(&Ports { shipping_methods: Arc::new(methods), ..ports() })
    }

    fn method(id: i32) -> ShippingMethod {
        let band = WeightBand { up_to: Grams::new(5_000).unwrap(), price: Money::from_cents(900).unwrap() };
        let terms = ShippingTerms {
            name: Text::new("Ground").unwrap(),
            countries: None,
            divisor: Divisor::USUAL,
            free_over: None,
            bands: WeightBands::new(vec![band]).unwrap(),
            per_extra_kg: Money::ZERO,
            pallet: None,
        };
        ShippingMethod { id: ShippingMethodId(id), terms }
    }

    #[tokio::test]
    async fn only_admins_set_freight() {
        // No repository may be called.
        let (service, customer, method) = (service(MockShippingMethods::new()), caller(Role::Customer), method(7));
        assert!(is_forbidden(&service.shipping_methods(&customer).await));
        assert!(is_forbidden(&service.unweighed_products(&customer).await));
        assert!(is_forbidden(&service.add_shipping_method(&customer, &method.terms).await));
        assert!(is_forbidden(&service.edit_shipping_method(&customer, &method).await));
        assert!(is_forbidden(&service.remove_shipping_method(&customer, method.id).await));
    }

    #[tokio::test]
    async fn an_admin_sees_all_methods_and_the_products_that_nobody_weighed() {
        let unweighed = || UnweighedProduct {
            id: ProductId::new(Uuid::from_u128(4)),
            name: Text::new("Ventilated brake disc").unwrap(),
            part_number: None,
        };
        let mut methods = MockShippingMethods::new();
        methods.expect_list().times(1).returning(|| Ok(vec![method(7), method(8)]));
        methods.expect_unweighed().times(1).returning(move || Ok(vec![unweighed()]));
        let (service, admin) = (service(methods), caller(Role::Admin));
        assert_eq!(service.shipping_methods(&admin).await.unwrap(), [method(7), method(8)]);
        assert_eq!(service.unweighed_products(&admin).await.unwrap(), [unweighed()]);
    }

    #[tokio::test]
    async fn a_method_is_replaced_and_removed_and_one_that_is_not_there_is_not_found() {
        let mut methods = MockShippingMethods::new();
        methods.expect_replace().times(2).returning(|replaced| Ok(*replaced == method(7)));
        methods.expect_remove().times(2).returning(|id| Ok(id == method(7).id));
        let (service, admin) = (service(methods), caller(Role::Admin));
        service.edit_shipping_method(&admin, &method(7)).await.unwrap();
        service.remove_shipping_method(&admin, method(7).id).await.unwrap();
        assert!(is_not_found(&service.edit_shipping_method(&admin, &method(8)).await));
        assert!(is_not_found(&service.remove_shipping_method(&admin, method(8).id).await));
    }
}
