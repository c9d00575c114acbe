//! The rules of the shop.
//!
//! Nothing here depends on a database, a wire format, a clock or an async runtime: a rule takes values and returns a
//! value or a refusal. Every value that exists is valid, because parsing is the only way to create one.

#![warn(missing_docs)]

pub mod accounts;
pub mod audit;
pub mod baskets;
pub mod catalog;
pub mod checkout;
pub mod delivery;
pub mod documents;
pub mod feeds;
pub mod notifications;
pub mod orders;
pub mod payments;
pub mod platform;
pub mod pricing;
pub mod tax;

pub use accounts::access::{Denied, Grant, Permission};
pub use accounts::account::{Account, Caller, EmailTaken, Role};
pub use accounts::actor::Actor;
pub use accounts::email::Email;
pub use accounts::garage::{ChosenVehicle, GARAGE_MAX, GarageEdit, GarageVehicle};
pub use accounts::login_limits::{AttemptSource, DeviceId, FailedLogins, LoginAttempt};
pub use accounts::password::{Password, WeakPassword};
pub use accounts::profile::Profile;
pub use accounts::second_factor::{SecondFactor, SecondFactorNeeded, SecondFactorPolicy};
pub use audit::chain::{AuditBroken, AuditChain};
pub use audit::entry::{AuditEntry, AuditHash, AuditMark, NoMark, hex};
pub use baskets::basket::{BASKET_MAX, BasketLine, BasketRefused, LISTS_MAX, merged, summed};
pub use baskets::judge::{AskedLine, Judged, Limits, RowStatus, judge};
pub use baskets::line::{AskedUnits, LineFault, QuickLine, Reading};
pub use baskets::note::{Note as RowNote, message};
pub use baskets::quick_order::{QUICK_LINES_MAX, TooManyLines};
pub use baskets::units::{Units, UnitsFault};
pub use catalog::asked_number::{AskedNumber, tier_of};
pub use catalog::edit::{EditRefused, FactsEdit, ProductEdit};
pub use catalog::fitment::model_years::{ModelYears, NoYear, YearsRefused};
pub use catalog::fitment::position::Position;
pub use catalog::fitment::verdict::{Fit, PartFitments, Verdict};
pub use catalog::fitment::wanted_vehicle::WantedVehicle;
pub use catalog::fitment::{Condition, ConditionId, EngineNo, Fitment, FitmentSource, PerVehicle, VehicleNo};
pub use catalog::part_facts::{Attribute, AttributeValue, Measure, PackSize, PartFacts, Size};
pub use catalog::part_number::{Gtin, NumberKind, PartKey, PartNumber, PartRefused, Via};
pub use catalog::pictures::{Pictures, PicturesRefused};
pub use catalog::product::{Category, Product, ProductDetails, RestockRefused};
pub use catalog::quantity::{MinOrder, Quantity};
pub use catalog::review::{Rating, RatingTotal, Review, ReviewedPart, ReviewedRecently};
pub use catalog::search_words::{SearchWords, WantedWord, WordForm};
pub use catalog::stock::{CorrectStockRefused, Stock};
pub use catalog::wanted_words::wanted_words;
pub use checkout::assessment::{
    AssessedLine, Charged, LineTax, TaxBasis, TaxTotal, charge, freight_of, goods_of, tax_totals,
};
pub use checkout::order_lines::{LINES_MAX, ProductLines, SentLine};
pub use checkout::purchase_order::{CheckoutNumber, Terms};
pub use checkout::record::{Checkout, CheckoutContact, ChosenMethod};
pub use checkout::standing::{CheckoutState, CheckoutSums};
pub use delivery::address::{Address, AddressProblem, AddressRefused, TypedAddress};
pub use delivery::address_book::{ADDRESSES_MAX, KeptAddress};
pub use delivery::address_format::{AddressField, AddressFormat, Need};
pub use delivery::country::{Country, UnknownCountry};
pub use delivery::freight::{Freight, Parcel, freight, methods_for};
pub use delivery::shipping_method::{
    Divisor, Grams, MethodRefused, PalletRate, ShippingMethod, ShippingMethodId, ShippingTerms, WeightBand, WeightBands,
};
pub use documents::invoice::{Invoice, InvoiceFacts, InvoiceRefused, InvoiceSubject, InvoicedPurchase, Settlement};
pub use documents::line::{DocumentLine, PrintedTax, TaxCategory};
pub use documents::number::{InvoiceKind, InvoiceNumber};
pub use documents::party::{Buyer, PrintedAddress, Seller};
pub use documents::refusals::SumsRefused;
pub use documents::sheet::{Confirmation, PackedLine, PackingSlip, SheetFacts};
pub use documents::totals::{RateTotal, Totals};
pub use feeds::columns::{Header, HeaderRefused};
pub use feeds::feed::{ApplyRefused, FeedConsent, FeedCounts, FeedKind, FeedMode, FeedState};
pub use feeds::file::FileWatch;
pub use feeds::row::{FeedFinding, FeedFitment, FeedNumber, FeedRow, FeedTier};
pub use notifications::webhook_subscription::{Disabled, WebhookSubscription, WebhookUrl};
pub use orders::assigned::{OrderNumber, StoreAssigned};
pub use orders::contact::Contact;
pub use orders::event::{OrderEvent, OrderEventKind};
pub use orders::item::Item;
pub use orders::note::{Note, NoteSubject};
pub use orders::order::Order;
pub use orders::purchase::{Charges, CheckoutLine, Purchase};
pub use orders::return_reason::ReturnReason;
pub use orders::returns::OrderReturn;
pub use orders::shipment::Shipment;
pub use orders::state::OrderState;
pub use orders::vehicle::{OrderedCondition, OrderedVehicle, VehicleChoice};
pub use payments::payable::{Payable, PaymentShare};
pub use payments::payment::{Payment, TransactionId};
pub use payments::refund::{
    Dispute, DisputeId, DisputeState, ProviderRefund, ProviderRefundId, Refund, RefundCause, RefundState,
};
pub use platform::client_network::ClientNetwork;
pub use platform::day::Day;
pub use platform::edit::Edit;
pub use platform::folding::fold;
pub use platform::id::{
    AccountId, AddressId, CheckoutId, EventId, ExemptionId, GarageVehicleId, InvoiceId, ListId, NoteId, OrderId,
    PasskeyId, ProductId, RefundId, ReturnId, ReviewId, SessionId, ShipmentId, TaxRateId, WebhookSubscriptionId,
};
pub use platform::money::Money;
pub use platform::picture::PictureUrl;
pub use platform::text::{Text, one_line};
pub use pricing::ladder::{Ladder, LadderRefused, Tier};
pub use pricing::price::PriceRules;
pub use pricing::price_list::{ListTerms, Percent, PriceListDetails, PriceListRefused};
pub use pricing::unit_price::UnitPrice;
pub use tax::assessment::{CountryNeeded, Taxed, check_taxable, tax_for};
pub use tax::class::TaxClass;
pub use tax::exemption::{Exemption, ExemptionKind, ExemptionRefused};
pub use tax::rate::{BasisPoints, TaxRate, Validity, find_overlap};
pub use tax::sums::{split_by_goods, tax_of};
pub use tax::vat_id::{VatId, VatIdRefused};

/// A moment in UTC.
pub type Timestamp = jiff::Timestamp;
