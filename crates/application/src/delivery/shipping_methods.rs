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

    use domain::Role;
    use ports::MockShippingMethods;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, ports};

    #[tokio::test]
    async fn only_admins_set_freight_and_a_method_that_is_not_there_is_not_found() {
        let mut methods = MockShippingMethods::new();
        methods.expect_remove().times(1).returning(|_| Ok(false));
        let service = Delivery::new(&Ports { shipping_methods: Arc::new(methods), ..ports() });
        let id = ShippingMethodId(7);
        let refused = service.remove_shipping_method(&caller(Role::Customer), id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let missing = service.remove_shipping_method(&caller(Role::Admin), id).await;
        assert!(matches!(missing, Err(Failure::Denied(Denied::NotFound))));
    }
}
