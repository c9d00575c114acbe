//! Whether a part fits a vehicle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::wanted_vehicle::WantedVehicle;
use super::{Condition, ConditionId, EngineNo, Fitment};

/// Whether a part fits a vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It fits every vehicle.
    Universal,
    /// Nobody says of any vehicle that it fits.
    Unknown,
    /// It fits other vehicles, or this one with another engine.
    No,
    /// It fits.
    Yes,
    /// It depends on the engine, which is not known.
    Ask,
    /// It fits under a condition.
    If,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 6] = [Self::Universal, Self::Unknown, Self::No, Self::Yes, Self::Ask, Self::If];

    /// The name on the wire, by which it is stored too.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Universal => "universal",
            Self::Unknown => "unknown",
            Self::No => "no",
            Self::Yes => "yes",
            Self::Ask => "ask",
            Self::If => "if",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Not the name of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be universal, unknown, no, yes, ask or if")]
pub struct UnknownVerdict;

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(name: &str) -> Result<Self, UnknownVerdict> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == name).ok_or(UnknownVerdict)
    }
}

/// What is known of a part and one vehicle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartFitments {
    /// Whether the part fits every vehicle.
    pub universal: bool,
    /// Whether anybody says of any vehicle that it fits.
    pub has_any: bool,
    /// What is said of the vehicle.
    pub of_vehicle: Vec<Fitment>,
}

/// Whether a part fits a vehicle, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// Whether it fits.
    pub verdict: Verdict,
    /// What is said of the vehicle, and of its engine if that is known.
    pub because: Vec<Fitment>,
    /// Of [`Verdict::If`], the conditions: it fits under each of them.
    pub conditions: Vec<Condition>,
}

impl Fit {
    /// Whether a part fits a vehicle.
    #[must_use]
    pub fn of(part: PartFitments, wanted: &WantedVehicle) -> Self {
        let may_be = |engine| wanted.engine().is_none_or(|has| has == engine);
        let because: Vec<Fitment> =
            part.of_vehicle.into_iter().filter(|fitment| fitment.engine.is_none_or(may_be)).collect();
        let verdict = match (part.universal, part.has_any) {
            (true, _) => Verdict::Universal,
            (false, false) => Verdict::Unknown,
            (false, true) => judge(&because, wanted),
        };
        let conditions: BTreeSet<Condition> = match verdict {
            Verdict::If => because.iter().filter_map(|fitment| fitment.condition.clone()).collect(),
            _ => BTreeSet::new(),
        };
        Self { verdict, because, conditions: conditions.into_iter().collect() }
    }
}

/// Under each condition, and under none, a part fits with some engines. Where those are all of them, the engine does not
/// matter.
fn judge(fitments: &[Fitment], wanted: &WantedVehicle) -> Verdict {
    let mut engines: BTreeMap<Option<ConditionId>, BTreeSet<Option<EngineNo>>> = BTreeMap::new();
    for fitment in fitments {
        let condition = fitment.condition.as_ref().map(|condition| condition.id);
        engines.entry(condition).or_default().insert(fitment.engine);
    }
    let matters = |engines: &BTreeSet<Option<EngineNo>>| !is_all(engines, wanted);
    match engines.get(&None) {
        _ if engines.is_empty() => Verdict::No,
        Some(unconditional) if !matters(unconditional) => Verdict::Yes,
        None if !engines.values().any(matters) => Verdict::If,
        _ => Verdict::Ask,
    }
}

/// Whether these engines are whatever engine the vehicle has. Where its engines are not known, it may have yet another.
fn is_all(engines: &BTreeSet<Option<EngineNo>>, wanted: &WantedVehicle) -> bool {
    let has = |engine: &EngineNo| engines.contains(&Some(*engine));
    engines.contains(&None)
        || wanted
            .engine()
            .map_or_else(|| !wanted.engines().is_empty() && wanted.engines().iter().all(has), |engine| has(&engine))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::Text;
    use crate::catalog::fitment::{FitmentSource, PerVehicle, VehicleNo};

    /// What is said: with the engine of this number (0 is any), under the condition of this number (0 is none).
    type Said = (i32, i32);

    /// The vehicle's engines, the one that it has, what is said, and the verdict with its conditions.
    type Row<'a> = (&'a [i32], i32, &'a [Said], Verdict, &'a [i32]);

    fn fitment((engine, condition): Said) -> Fitment {
        let condition = (condition > 0)
            .then(|| Condition { id: ConditionId::new(condition), text: Text::known_good("carbon version") });
        Fitment {
            engine: (engine > 0).then(|| EngineNo::new(engine)),
            position: None,
            per_vehicle: PerVehicle::ONE,
            condition,
            source: FitmentSource { name: Text::known_good("A maker"), dated: None },
        }
    }

    fn wanted(engines: &[i32], engine: i32) -> WantedVehicle {
        let engines = engines.iter().copied().map(EngineNo::new).collect();
        WantedVehicle::new(VehicleNo::new(7), engines, (engine > 0).then(|| EngineNo::new(engine))).unwrap()
    }

    fn fit(said: &[Said], wanted: &WantedVehicle) -> Fit {
        let of_vehicle = said.iter().copied().map(fitment).collect();
        Fit::of(PartFitments { universal: false, has_any: true, of_vehicle }, wanted)
    }

    fn conditions(fit: &Fit) -> Vec<i32> {
        fit.conditions.iter().map(|condition| condition.id.get()).collect()
    }

    #[test]
    fn a_name_is_read_back() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.to_string().parse(), Ok(verdict));
        }
        assert_eq!("maybe".parse::<Verdict>(), Err(UnknownVerdict));
    }

    #[test]
    fn what_fits_everything_or_is_in_no_list_needs_no_vehicle() {
        let wanted = wanted(&[1, 2], 0);
        let part = |universal, has_any, said: &[Said]| PartFitments {
            universal,
            has_any,
            of_vehicle: said.iter().copied().map(fitment).collect(),
        };
        assert_eq!(Fit::of(part(true, false, &[]), &wanted).verdict, Verdict::Universal);
        assert_eq!(Fit::of(part(true, true, &[(1, 1)]), &wanted).verdict, Verdict::Universal);
        assert_eq!(Fit::of(part(false, false, &[]), &wanted).verdict, Verdict::Unknown);
        assert_eq!(Fit::of(part(false, true, &[]), &wanted).verdict, Verdict::No);
    }

    #[test]
    fn the_verdict_follows_from_what_is_said() {
        use Verdict::{Ask, If, No, Yes};
        let table: &[Row] = &[
            // With any engine, under no condition.
            (&[1, 2], 0, &[(0, 0)], Yes, &[]),
            (&[1, 2], 1, &[(0, 0)], Yes, &[]),
            (&[], 0, &[(0, 0)], Yes, &[]),
            // With some engines.
            (&[1, 2], 0, &[(1, 0)], Ask, &[]),
            (&[1, 2], 1, &[(1, 0)], Yes, &[]),
            (&[1, 2], 2, &[(1, 0)], No, &[]),
            // With every engine of the vehicle.
            (&[1, 2], 0, &[(1, 0), (2, 0)], Yes, &[]),
            (&[1], 0, &[(1, 0)], Yes, &[]),
            // Its engines are not known, or it has one that the table has no more.
            (&[], 0, &[(1, 0)], Ask, &[]),
            (&[1, 2], 0, &[(9, 0)], Ask, &[]),
            (&[1, 2], 0, &[(1, 0), (2, 0), (9, 0)], Yes, &[]),
            // Only conditions are left.
            (&[1, 2], 0, &[(0, 5)], If, &[5]),
            (&[1, 2], 1, &[(0, 5), (0, 4)], If, &[4, 5]),
            (&[1, 2], 0, &[(1, 5), (2, 5)], If, &[5]),
            (&[], 0, &[(0, 5), (0, 5)], If, &[5]),
            (&[1, 2], 1, &[(1, 5), (2, 0)], If, &[5]),
            // The conditions depend on the engine.
            (&[1, 2], 0, &[(1, 5)], Ask, &[]),
            (&[1, 2], 0, &[(1, 5), (2, 6)], Ask, &[]),
            (&[1, 2], 0, &[(1, 5), (2, 0)], Ask, &[]),
            (&[1, 2], 0, &[(0, 5), (2, 6)], Ask, &[]),
            (&[1, 2], 2, &[(1, 5)], No, &[]),
            // One alternative without a condition is enough.
            (&[1, 2], 0, &[(0, 5), (0, 0)], Yes, &[]),
            (&[1, 2], 0, &[(1, 5), (1, 0), (2, 0)], Yes, &[]),
            (&[1, 2], 2, &[(0, 5), (2, 0)], Yes, &[]),
            (&[1, 2], 0, &[(0, 5), (2, 0)], Ask, &[]),
        ];
        for (engines, engine, said, verdict, under) in table {
            let fit = fit(said, &wanted(engines, *engine));
            assert_eq!((fit.verdict, conditions(&fit).as_slice()), (*verdict, *under), "{engines:?} {engine} {said:?}");
        }
    }

    #[test]
    fn a_verdict_says_what_it_comes_from() {
        let said = [(1, 0), (2, 0), (0, 5)];
        let of = |engine| fit(&said, &wanted(&[1, 2], engine)).because;
        assert_eq!(of(0), said.map(fitment));
        assert_eq!(of(1), [(1, 0), (0, 5)].map(fitment));
    }

    fn said(engines: i32) -> impl Strategy<Value = Vec<Said>> {
        prop::collection::vec((0..=engines, 0..3), 0..6)
    }

    proptest! {
        /// To know more never turns an answer round, and what is asked for makes a difference.
        #[test]
        fn the_answer_without_an_engine_is_the_one_that_all_engines_share(said in said(3), count in 1..=3_i32) {
            let engines: Vec<i32> = (1..=count).collect();
            let without = fit(&said, &wanted(&engines, 0));
            let mut with = engines.iter().map(|engine| fit(&said, &wanted(&engines, *engine)));
            if without.verdict == Verdict::Ask {
                let named_are_known = said.iter().all(|(engine, _)| *engine <= count);
                let answers: BTreeSet<_> = with.map(|fit| (fit.verdict, conditions(&fit))).collect();
                prop_assert!(!named_are_known || answers.len() > 1, "{answers:?}");
            } else {
                prop_assert!(with.all(|fit| (fit.verdict, conditions(&fit)) == (without.verdict, conditions(&without))));
            }
        }

        /// Whoever knows the engine is never asked for it.
        #[test]
        fn with_an_engine_nothing_is_asked(said in said(3), engine in 1..=3_i32) {
            prop_assert_ne!(fit(&said, &wanted(&[1, 2, 3], engine)).verdict, Verdict::Ask);
        }

        /// What is said are alternatives: in whatever order, and more of them take nothing back.
        #[test]
        fn one_more_alternative_takes_nothing_back(said in said(2), more in (0..=2_i32, 0..3_i32), engine in select(vec![0, 1, 2])) {
            let wanted = wanted(&[1, 2], engine);
            let before = fit(&said, &wanted);
            let mut all = vec![more];
            all.extend(said.iter().rev());
            let after = fit(&all, &wanted);
            match before.verdict {
                Verdict::Yes => prop_assert_eq!(after.verdict, Verdict::Yes),
                Verdict::No => {}
                _ => prop_assert_ne!(after.verdict, Verdict::No),
            }
            let again: Vec<Said> = said.iter().chain(&said).copied().collect();
            prop_assert_eq!(fit(&again, &wanted).verdict, before.verdict);
        }

        #[test]
        fn there_are_conditions_if_and_only_if_they_decide(said in said(3), engine in 0..=3_i32) {
            let fit = fit(&said, &wanted(&[1, 2, 3], engine));
            prop_assert_eq!(fit.conditions.is_empty(), fit.verdict != Verdict::If);
            let of_engine = |row: &Fitment| engine == 0 || row.engine.is_none_or(|named| named.get() == engine);
            prop_assert!(fit.because.iter().all(of_engine));
        }
    }
}
