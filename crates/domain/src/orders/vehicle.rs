//! The vehicle that an order's part is for, and what the shop said of it.

use crate::orders::refusals::PlaceRefused;
use crate::{Condition, ConditionId, EngineNo, Fit, Text, VehicleNo, Verdict, WantedVehicle};

/// For which vehicle somebody orders, as they say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VehicleChoice {
    /// The vehicle, and its engine if they know it.
    pub wanted: WantedVehicle,
    /// What it is called.
    pub label: Text<200>,
    /// The conditions that they say are true of it.
    pub confirmed: Vec<ConditionId>,
}

/// A condition under which a part fits, and whether the customer said that it is true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedCondition {
    /// The condition at that moment.
    pub condition: Condition,
    /// Whether the customer confirmed it.
    pub confirmed: bool,
}

/// A vehicle that a part was ordered for: a snapshot, by which a wrong part is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedVehicle {
    /// The vehicle's number.
    pub vehicle: VehicleNo,
    /// The engine's number, if the customer knew it.
    pub engine: Option<EngineNo>,
    /// What it was called.
    pub label: Text<200>,
    /// Whether the part fitted it, as far as the shop knew.
    pub verdict: Verdict,
    /// Of [`Verdict::If`], the conditions.
    pub conditions: Vec<OrderedCondition>,
}

impl OrderedVehicle {
    /// What is kept of a vehicle and of what was said of it.
    ///
    /// # Errors
    /// [`PlaceRefused::OtherConditions`] if a condition was confirmed that is none of these.
    pub fn of(choice: &VehicleChoice, fit: Fit) -> Result<Self, PlaceRefused> {
        let is_one = |id: &ConditionId| fit.conditions.iter().any(|condition| condition.id == *id);
        if !choice.confirmed.iter().all(is_one) {
            return Err(PlaceRefused::OtherConditions);
        }
        let conditions = fit.conditions.into_iter().map(|condition| {
            let confirmed = choice.confirmed.contains(&condition.id);
            OrderedCondition { condition, confirmed }
        });
        Ok(Self {
            vehicle: choice.wanted.vehicle(),
            engine: choice.wanted.engine(),
            label: choice.label.clone(),
            verdict: fit.verdict,
            conditions: conditions.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(confirmed: &[i32]) -> VehicleChoice {
        VehicleChoice {
            wanted: WantedVehicle::new(VehicleNo::new(7), Vec::new(), None).unwrap(),
            label: Text::new("2014 Toyota Camry").unwrap(),
            confirmed: confirmed.iter().copied().map(ConditionId::new).collect(),
        }
    }

    fn fit() -> Fit {
        let condition = |id, text| Condition { id: ConditionId::new(id), text: Text::new(text).unwrap() };
        let conditions = vec![condition(1, "carbon version"), condition(2, "with tow bar")];
        Fit { verdict: Verdict::If, because: Vec::new(), conditions }
    }

    #[test]
    fn an_order_keeps_the_conditions_and_which_of_them_the_customer_confirmed() {
        let kept = OrderedVehicle::of(&choice(&[2]), fit()).unwrap();
        let conditions: Vec<_> = kept.conditions.iter().map(|each| (each.condition.id.get(), each.confirmed)).collect();
        assert_eq!((kept.verdict, conditions), (Verdict::If, vec![(1, false), (2, true)]));
    }

    #[test]
    fn a_condition_that_is_no_longer_one_is_not_confirmed() {
        assert_eq!(OrderedVehicle::of(&choice(&[1, 3]), fit()), Err(PlaceRefused::OtherConditions));
    }
}
