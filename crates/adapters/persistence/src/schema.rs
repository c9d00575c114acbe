// @generated automatically by Diesel CLI.

diesel::table! {
    account_changes (id) {
        id -> Int8,
        role -> Text,
        change -> Int4,
    }
}

diesel::table! {
    account_notices (outbox_id) {
        outbox_id -> Int8,
        about_email -> Text,
    }
}

diesel::table! {
    account_tokens (hash) {
        hash -> Bytea,
        account_id -> Uuid,
        purpose -> Text,
        letter_id -> Int8,
        made_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    account_totals (role) {
        role -> Text,
        accounts -> Int8,
    }
}

diesel::table! {
    accounts (id) {
        id -> Uuid,
        email -> Text,
        display_name -> Text,
        photo_url -> Nullable<Text>,
        role -> Text,
        password_hash -> Nullable<Text>,
        google_subject -> Nullable<Text>,
        created_at -> Timestamptz,
        removed_at -> Nullable<Timestamptz>,
        search_key -> Text,
        email_verified_at -> Nullable<Timestamptz>,
        proved_at -> Nullable<Timestamptz>,
        google_issuer -> Nullable<Text>,
        google_linked_at -> Nullable<Timestamptz>,
        cancel_orders_before -> Nullable<Timestamptz>,
        photo_uploaded -> Bool,
        second_factor_since -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    addresses (id) {
        id -> Uuid,
        account_id -> Uuid,
        name -> Text,
        phone -> Nullable<Text>,
        address -> Jsonb,
        is_default -> Bool,
        added_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    answers (key) {
        key -> Bytea,
        fingerprint -> Bytea,
        holder -> Uuid,
        claimed_at -> Timestamptz,
        sealed -> Nullable<Bytea>,
        visitor -> Bool,
    }
}

diesel::table! {
    attributes (id) {
        id -> Int4,
        name -> Text,
        name_key -> Text,
        kind -> Text,
        unit -> Nullable<Text>,
    }
}

diesel::table! {
    audit_entries (number) {
        number -> Int8,
        at -> Timestamptz,
        account_id -> Uuid,
        email -> Text,
        operation -> Text,
        method -> Text,
        route -> Text,
        kind -> Text,
        change -> Text,
        target -> Nullable<Text>,
        parent -> Nullable<Text>,
        before -> Nullable<Text>,
        after -> Nullable<Text>,
        client_address -> Text,
        user_agent -> Nullable<Text>,
        request_id -> Text,
        previous -> Bytea,
        hash -> Bytea,
    }
}

diesel::table! {
    audit_head (one) {
        one -> Bool,
        number -> Int8,
        hash -> Bytea,
        at -> Timestamptz,
    }
}

diesel::table! {
    audit_pending (id) {
        id -> Int8,
        xact -> Int8,
        is_first -> Bool,
        is_last_round -> Bool,
        kind -> Text,
        change -> Text,
        target -> Nullable<Text>,
        parent -> Nullable<Text>,
        owner -> Nullable<Text>,
        before -> Nullable<Text>,
        after -> Nullable<Text>,
    }
}

diesel::table! {
    authenticator_apps (account_id) {
        account_id -> Uuid,
        secret_sealed -> Bytea,
        last_step -> Int8,
        added_at -> Timestamptz,
    }
}

diesel::table! {
    brands (id) {
        id -> Int4,
        name -> Text,
        name_key -> Text,
    }
}

diesel::table! {
    carts (account_id) {
        account_id -> Uuid,
        lines -> Jsonb,
        version -> Int8,
        saved_at -> Timestamptz,
    }
}

diesel::table! {
    catalogue_changes (xact, seq) {
        xact -> Int8,
        seq -> Int8,
        product_no -> Int4,
        at -> Timestamptz,
    }
}

diesel::table! {
    catalogue_followers (name) {
        name -> Text,
        made_at -> Timestamptz,
        xact -> Nullable<Int8>,
        seq -> Int8,
        filled_to -> Nullable<Int4>,
        live -> Bool,
        compared_to -> Int4,
        compared_at -> Timestamptz,
    }
}

diesel::table! {
    catalogue_lease (one) {
        one -> Bool,
        holder -> Nullable<Uuid>,
        until -> Timestamptz,
    }
}

diesel::table! {
    checkouts (id) {
        id -> Uuid,
        number -> Int8,
        buyer_id -> Uuid,
        contact_name -> Text,
        contact_email -> Text,
        contact_phone -> Text,
        address -> Jsonb,
        po_number -> Nullable<Text>,
        note -> Nullable<Text>,
        terms -> Text,
        shipping_method_id -> Nullable<Int4>,
        shipping_method -> Nullable<Text>,
        goods_cents -> Int8,
        shipping_cents -> Nullable<Int8>,
        tax_cents -> Nullable<Int8>,
        taxes -> Jsonb,
        placed_at -> Timestamptz,
        search_key -> Text,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    code_attempts (id) {
        id -> Int8,
        account_id -> Uuid,
        at -> Timestamptz,
    }
}

diesel::table! {
    conditions (id) {
        id -> Int4,
        body -> Text,
    }
}

diesel::table! {
    customer_sales (day, account_id) {
        day -> Date,
        account_id -> Uuid,
        orders -> Int8,
        cents -> Numeric,
    }
}

diesel::table! {
    customer_totals (account_id) {
        account_id -> Uuid,
        orders -> Int8,
        spent_cents -> Int8,
    }
}

diesel::table! {
    disputes (id) {
        id -> Text,
        order_id -> Uuid,
        payment_id -> Text,
        amount_cents -> Int8,
        state -> Text,
        reason -> Nullable<Text>,
        opened_at -> Timestamptz,
        changed_at -> Timestamptz,
        acknowledged_at -> Nullable<Timestamptz>,
        acknowledged_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    exemptions (id) {
        id -> Uuid,
        account_id -> Uuid,
        kind -> Text,
        country -> Text,
        region -> Nullable<Text>,
        region_key -> Text,
        number -> Text,
        valid_until -> Nullable<Date>,
        checked_at -> Nullable<Timestamptz>,
        entered_at -> Timestamptz,
    }
}

diesel::table! {
    feed_brands (feed_id, brand_key) {
        feed_id -> Int4,
        brand_key -> Text,
    }
}

diesel::table! {
    feed_chunks (feed_id, no) {
        feed_id -> Int4,
        no -> Int4,
        body -> Bytea,
    }
}

diesel::table! {
    feed_findings (feed_id, no) {
        feed_id -> Int4,
        no -> Int4,
        line -> Int8,
        field -> Text,
        reason -> Text,
        message -> Text,
    }
}

diesel::table! {
    feeds (id) {
        id -> Int4,
        kind -> Text,
        mode -> Text,
        name -> Nullable<Text>,
        state -> Text,
        dry_run -> Bool,
        partial -> Bool,
        confirm_archived -> Nullable<Int8>,
        bytes -> Int8,
        sha256 -> Nullable<Bytea>,
        is_utf8 -> Bool,
        row_count -> Int8,
        added -> Int8,
        changed -> Int8,
        same -> Int8,
        refused -> Int8,
        archived -> Int8,
        archives_much -> Bool,
        finding_count -> Int8,
        changes -> Jsonb,
        progress -> Int2,
        attempts -> Int2,
        error -> Nullable<Text>,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        created_at -> Timestamptz,
        changed_at -> Timestamptz,
        applied_at -> Nullable<Timestamptz>,
        once_key -> Nullable<Bytea>,
    }
}

diesel::table! {
    fitment_sources (id) {
        id -> Int4,
        name -> Text,
        dated -> Nullable<Date>,
        by_hand -> Bool,
        feed_id -> Nullable<Int4>,
    }
}

diesel::table! {
    fitments (vehicle_id, part_type_id, product_no, engine_id, condition_id, position) {
        vehicle_id -> Int4,
        part_type_id -> Int4,
        product_no -> Int4,
        engine_id -> Int4,
        condition_id -> Int4,
        position -> Int2,
        per_vehicle -> Int2,
        source_id -> Int4,
    }
}

diesel::table! {
    garage (id) {
        id -> Uuid,
        account_id -> Uuid,
        vehicle_id -> Int4,
        engine_id -> Nullable<Int4>,
        name -> Nullable<Text>,
        vin_sealed -> Nullable<Bytea>,
        added_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    google_sign_ins (outbox_id) {
        outbox_id -> Int8,
        email -> Text,
        issuer -> Text,
        subject -> Text,
        display_name -> Nullable<Text>,
        photo_url -> Nullable<Text>,
        destination -> Text,
        browser_hash -> Bytea,
        token_hashes -> Array<Nullable<Bytea>>,
        made_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    imports (id) {
        id -> Int8,
        added -> Int4,
        left_out -> Array<Nullable<Int4>>,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    invoice_orders (order_id) {
        order_id -> Uuid,
        invoice_id -> Uuid,
    }
}

diesel::table! {
    invoice_series (series) {
        series -> Text,
        last -> Int8,
    }
}

diesel::table! {
    invoices (id) {
        id -> Uuid,
        series -> Text,
        number -> Int8,
        kind -> Text,
        account_id -> Uuid,
        order_id -> Nullable<Uuid>,
        checkout_id -> Nullable<Uuid>,
        credits -> Nullable<Uuid>,
        refund_id -> Nullable<Uuid>,
        issued_at -> Timestamptz,
        total_cents -> Int8,
        data -> Jsonb,
    }
}

diesel::table! {
    invoicing (one) {
        one -> Bool,
        after_order -> Int8,
    }
}

diesel::table! {
    lists (id) {
        id -> Uuid,
        account_id -> Uuid,
        name -> Text,
        lines -> Jsonb,
        changed_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    login_guesses (id) {
        id -> Int8,
        email -> Text,
        from_address -> Text,
        at -> Timestamptz,
        device -> Nullable<Bytea>,
        beyond -> Bool,
    }
}

diesel::table! {
    newsletter (email) {
        email -> Text,
        subscribed_at -> Timestamptz,
    }
}

diesel::table! {
    notes (id) {
        id -> Uuid,
        order_id -> Nullable<Uuid>,
        account_id -> Nullable<Uuid>,
        author_id -> Uuid,
        author_email -> Text,
        text -> Text,
        created_at -> Timestamptz,
        removed_at -> Nullable<Timestamptz>,
        removed_by -> Nullable<Uuid>,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    order_changes (number, id) {
        number -> Int8,
        id -> Int8,
        day -> Date,
        payment_state_before -> Text,
        fulfilment_before -> Text,
        was_cancelled -> Bool,
        payment_state -> Text,
        fulfilment -> Text,
        is_cancelled -> Bool,
    }
}

diesel::table! {
    order_days (day) {
        day -> Date,
        orders -> Int8,
    }
}

diesel::table! {
    order_events (id) {
        id -> Uuid,
        order_id -> Uuid,
        seq -> Int4,
        kind -> Text,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        data -> Jsonb,
        at -> Timestamptz,
        in_outbox -> Bool,
    }
}

diesel::table! {
    order_totals (payment_state, fulfilment, is_cancelled) {
        payment_state -> Text,
        fulfilment -> Text,
        is_cancelled -> Bool,
        orders -> Int8,
    }
}

diesel::table! {
    orders (id) {
        id -> Uuid,
        buyer_id -> Uuid,
        contact_name -> Text,
        contact_email -> Text,
        contact_phone -> Text,
        contact_address -> Text,
        product_id -> Uuid,
        product_name -> Text,
        category -> Text,
        details -> Text,
        img -> Text,
        unit_price_cents -> Int8,
        quantity -> Int4,
        total_cents -> Int8,
        placed_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        payment_state -> Text,
        transaction_id -> Nullable<Text>,
        paid_at -> Nullable<Timestamptz>,
        refunded_at -> Nullable<Timestamptz>,
        fulfilment -> Text,
        shipped_at -> Nullable<Timestamptz>,
        cancelled_at -> Nullable<Timestamptz>,
        search_key -> Text,
        next_audit_at -> Timestamptz,
        reserved_until -> Nullable<Timestamptz>,
        lapse_at -> Nullable<Timestamptz>,
        lapse_attempts -> Int4,
        remind_at -> Nullable<Timestamptz>,
        number -> Nullable<Int8>,
        part_number -> Nullable<Text>,
        once_fingerprint -> Nullable<Bytea>,
        vehicle -> Nullable<Jsonb>,
        checkout_id -> Nullable<Uuid>,
        line -> Nullable<Int2>,
        shipping_cents -> Int8,
        tax_cents -> Int8,
        awaits_freight -> Bool,
        po_number -> Nullable<Text>,
        shipped_units -> Int4,
        refunded_cents -> Int8,
    }
}

diesel::table! {
    outbox (id) {
        id -> Int8,
        channel -> Text,
        topic -> Text,
        order_id -> Nullable<Uuid>,
        event_id -> Nullable<Uuid>,
        email -> Nullable<Text>,
        created_at -> Timestamptz,
        due_at -> Timestamptz,
        attempts -> Int4,
        state -> Text,
        last_error -> Nullable<Text>,
        sent_at -> Nullable<Timestamptz>,
        endpoint_id -> Nullable<Uuid>,
        status_code -> Nullable<Int4>,
        checkout_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    part_numbers (id) {
        id -> Int8,
        product_no -> Int4,
        kind -> Int2,
        key -> Text,
        loose -> Text,
        shown -> Text,
        brand_id -> Nullable<Int4>,
        note -> Nullable<Text>,
        since -> Timestamptz,
        feed_id -> Nullable<Int4>,
    }
}

diesel::table! {
    part_types (id) {
        id -> Int4,
        name -> Text,
        name_key -> Text,
        category -> Text,
    }
}

diesel::table! {
    passkeys (id) {
        id -> Uuid,
        account_id -> Uuid,
        credential_id -> Bytea,
        credential -> Text,
        name -> Text,
        added_at -> Timestamptz,
        last_used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    payment_events (id) {
        id -> Text,
        heard_at -> Timestamptz,
    }
}

diesel::table! {
    payment_intents (id) {
        id -> Text,
        order_id -> Nullable<Uuid>,
        amount_cents -> Int8,
        opened_at -> Timestamptz,
        closed_at -> Nullable<Timestamptz>,
        looked_at -> Nullable<Timestamptz>,
        drifted -> Bool,
        ended -> Nullable<Text>,
        next_look_at -> Timestamptz,
        asked_at -> Timestamptz,
        unknown_since -> Nullable<Timestamptz>,
        mismatched_at -> Nullable<Timestamptz>,
        checkout_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    payment_shares (intent_id, order_id) {
        intent_id -> Text,
        order_id -> Uuid,
        cents -> Int8,
    }
}

diesel::table! {
    placed_days (day) {
        day -> Date,
        placed -> Int8,
        paid -> Int8,
    }
}

diesel::table! {
    price_epoch (one) {
        one -> Bool,
        epoch -> Int8,
    }
}

diesel::table! {
    price_list_accounts (list_id, account_id) {
        list_id -> Int4,
        account_id -> Uuid,
    }
}

diesel::table! {
    price_lists (id) {
        id -> Int4,
        name -> Text,
        percent_bp -> Nullable<Int4>,
        priority -> Int4,
        valid_from -> Nullable<Timestamptz>,
        valid_until -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    prices (list_id, product_id, min_quantity) {
        list_id -> Int4,
        product_id -> Uuid,
        min_quantity -> Int4,
        unit_cents -> Int8,
    }
}

diesel::table! {
    product_attributes (product_no, attribute_id) {
        product_no -> Int4,
        attribute_id -> Int4,
        place -> Int2,
        number -> Nullable<Int8>,
        words -> Nullable<Text>,
        words_key -> Nullable<Text>,
        flag -> Nullable<Bool>,
    }
}

diesel::table! {
    product_pictures (product_no, place) {
        product_no -> Int4,
        place -> Int2,
        img -> Text,
    }
}

diesel::table! {
    product_positions (product_no) {
        product_no -> Int4,
        positions -> Int4,
    }
}

diesel::table! {
    product_sales (day, product_id) {
        day -> Date,
        product_id -> Uuid,
        orders -> Int8,
        units -> Int8,
        cents -> Numeric,
    }
}

diesel::table! {
    product_search (product_no) {
        product_no -> Int4,
        brand_id -> Nullable<Int4>,
        part_type_id -> Nullable<Int4>,
        document -> Text,
    }
}

diesel::table! {
    products (id) {
        id -> Uuid,
        name -> Text,
        description -> Text,
        part_number -> Nullable<Text>,
        category -> Text,
        img -> Text,
        price_cents -> Int8,
        min_order -> Int4,
        available -> Int4,
        created_at -> Timestamptz,
        archived_at -> Nullable<Timestamptz>,
        once_key -> Nullable<Bytea>,
        name_key -> Text,
        search_key -> Text,
        archived_by -> Nullable<Uuid>,
        archived_by_email -> Nullable<Text>,
        once_fingerprint -> Nullable<Bytea>,
        no -> Int4,
        brand_id -> Nullable<Int4>,
        part_type_id -> Nullable<Int4>,
        universal -> Bool,
        pack_size -> Int4,
        weight_grams -> Nullable<Int4>,
        length_mm -> Nullable<Int4>,
        width_mm -> Nullable<Int4>,
        height_mm -> Nullable<Int4>,
        replaced_by -> Nullable<Uuid>,
        changed_at -> Nullable<Timestamptz>,
        tiers -> Nullable<Jsonb>,
        tax_class -> Text,
    }
}

diesel::table! {
    profiles (account_id) {
        account_id -> Uuid,
        study_in -> Nullable<Text>,
        lives_in -> Nullable<Text>,
        phone -> Nullable<Text>,
        facebook -> Nullable<Text>,
        linkedin -> Nullable<Text>,
        github -> Nullable<Text>,
        saved_at -> Timestamptz,
    }
}

diesel::table! {
    rate_limits (client, limited) {
        client -> Text,
        limited -> Text,
        spent_until -> Timestamptz,
    }
}

diesel::table! {
    recovery_codes (account_id, hash) {
        account_id -> Uuid,
        hash -> Bytea,
        used_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    refunds (id) {
        id -> Uuid,
        order_id -> Uuid,
        payment_id -> Text,
        provider_refund_id -> Nullable<Text>,
        amount_cents -> Int8,
        cause -> Text,
        state -> Text,
        attempt -> Int4,
        tries -> Int4,
        failure -> Nullable<Text>,
        note -> Nullable<Text>,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
        created_at -> Timestamptz,
        changed_at -> Timestamptz,
        next_try_at -> Nullable<Timestamptz>,
        acknowledged_at -> Nullable<Timestamptz>,
        acknowledged_by -> Nullable<Uuid>,
    }
}

diesel::table! {
    restockings (id) {
        id -> Int8,
        product_id -> Uuid,
        arriving -> Int4,
        price_cents -> Int8,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    returns (id) {
        id -> Uuid,
        order_id -> Uuid,
        reason -> Text,
        details -> Nullable<Text>,
        units -> Int4,
        requested_at -> Timestamptz,
        state -> Text,
        decided_at -> Nullable<Timestamptz>,
        refund_id -> Nullable<Uuid>,
        refunded_cents -> Nullable<Int8>,
        restocked -> Nullable<Bool>,
        answer -> Nullable<Text>,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    revenue_days (day) {
        day -> Date,
        paid -> Numeric,
        returned -> Numeric,
    }
}

diesel::table! {
    revenue_ledger (id) {
        id -> Int8,
        order_id -> Uuid,
        kind -> Text,
        cents -> Int8,
        at -> Timestamptz,
    }
}

diesel::table! {
    reviews (id) {
        id -> Uuid,
        account_id -> Uuid,
        name -> Text,
        details -> Text,
        rating -> Int2,
        created_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        removed_at -> Nullable<Timestamptz>,
        removed_by -> Nullable<Uuid>,
        once_fingerprint -> Nullable<Bytea>,
        product_id -> Nullable<Uuid>,
        product_name -> Nullable<Text>,
        part_number -> Nullable<Text>,
        is_verified -> Bool,
        author -> Nullable<Text>,
    }
}

diesel::table! {
    rollups (name) {
        name -> Text,
        folded_to -> Int8,
        next_to -> Nullable<Int8>,
        horizon -> Nullable<Int8>,
    }
}

diesel::table! {
    sales_rollups (name) {
        name -> Text,
        folded_to -> Int8,
        next_to -> Nullable<Int8>,
        horizon -> Nullable<Int8>,
    }
}

diesel::table! {
    second_factor_challenges (session_id, purpose) {
        session_id -> Uuid,
        purpose -> Text,
        state -> Bytea,
        expires_at -> Timestamptz,
    }
}

diesel::table! {
    seller (one) {
        one -> Bool,
        name -> Text,
        line1 -> Text,
        line2 -> Nullable<Text>,
        city -> Text,
        region -> Nullable<Text>,
        postcode -> Nullable<Text>,
        country -> Text,
        tax_id -> Nullable<Text>,
        email -> Text,
        phone -> Nullable<Text>,
        terms -> Nullable<Text>,
    }
}

diesel::table! {
    sessions (id) {
        id -> Uuid,
        account_id -> Uuid,
        secret_hash -> Bytea,
        opened_at -> Timestamptz,
        expires_at -> Timestamptz,
        closed_at -> Nullable<Timestamptz>,
        last_seen_at -> Timestamptz,
        device -> Nullable<Text>,
        second_factor_at -> Nullable<Timestamptz>,
    }
}

diesel::table! {
    shipments (id) {
        id -> Uuid,
        order_id -> Uuid,
        units -> Int4,
        carrier -> Nullable<Text>,
        tracking_number -> Nullable<Text>,
        tracking_url -> Nullable<Text>,
        sent_at -> Timestamptz,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
    }
}

diesel::table! {
    shipping_methods (id) {
        id -> Int4,
        name -> Text,
        countries -> Nullable<Array<Nullable<Text>>>,
        divisor -> Int4,
        free_over_cents -> Nullable<Int8>,
        bands -> Jsonb,
        per_extra_kg_cents -> Int8,
        pallet_from_grams -> Nullable<Int4>,
        per_pallet_cents -> Nullable<Int8>,
    }
}

diesel::table! {
    stock_corrections (id) {
        id -> Int8,
        product_id -> Uuid,
        delta -> Int4,
        reason -> Text,
        note -> Nullable<Text>,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        at -> Timestamptz,
        once_key -> Nullable<Bytea>,
    }
}

diesel::table! {
    stock_ledger (id) {
        id -> Int8,
        product_id -> Uuid,
        delta -> Int4,
        kind -> Text,
        order_id -> Nullable<Uuid>,
        actor_id -> Nullable<Uuid>,
        actor_email -> Nullable<Text>,
        at -> Timestamptz,
        return_id -> Nullable<Uuid>,
    }
}

diesel::table! {
    synonyms (id) {
        id -> Int4,
        word -> Text,
        means -> Text,
    }
}

diesel::table! {
    tax_rates (id) {
        id -> Uuid,
        country -> Text,
        region -> Nullable<Text>,
        region_key -> Text,
        name -> Text,
        basis_points -> Int4,
        valid_from -> Date,
        valid_until -> Nullable<Date>,
    }
}

diesel::table! {
    unconfirmed_mail (outbox_id) {
        outbox_id -> Int8,
        email -> Text,
        at -> Timestamptz,
    }
}

diesel::table! {
    universal_products (product_no) {
        product_no -> Int4,
    }
}

diesel::table! {
    webhook_endpoints (id) {
        id -> Uuid,
        url -> Text,
        topics -> Array<Nullable<Text>>,
        secret -> Nullable<Bytea>,
        created_at -> Timestamptz,
        disabled_at -> Nullable<Timestamptz>,
        removed_at -> Nullable<Timestamptz>,
        once_key -> Nullable<Bytea>,
        once_fingerprint -> Nullable<Bytea>,
        failures -> Int4,
        failing_since -> Nullable<Timestamptz>,
        next_try_at -> Nullable<Timestamptz>,
        disabled_reason -> Nullable<Text>,
        added_by -> Nullable<Uuid>,
    }
}

diesel::joinable!(account_notices -> outbox (outbox_id));
diesel::joinable!(account_tokens -> accounts (account_id));
diesel::joinable!(account_tokens -> outbox (letter_id));
diesel::joinable!(addresses -> accounts (account_id));
diesel::joinable!(authenticator_apps -> accounts (account_id));
diesel::joinable!(carts -> accounts (account_id));
diesel::joinable!(checkouts -> accounts (buyer_id));
diesel::joinable!(code_attempts -> accounts (account_id));
diesel::joinable!(customer_totals -> accounts (account_id));
diesel::joinable!(disputes -> accounts (acknowledged_by));
diesel::joinable!(disputes -> orders (order_id));
diesel::joinable!(exemptions -> accounts (account_id));
diesel::joinable!(feed_brands -> feeds (feed_id));
diesel::joinable!(feed_chunks -> feeds (feed_id));
diesel::joinable!(feed_findings -> feeds (feed_id));
diesel::joinable!(feeds -> accounts (actor_id));
diesel::joinable!(fitments -> conditions (condition_id));
diesel::joinable!(fitments -> fitment_sources (source_id));
diesel::joinable!(garage -> accounts (account_id));
diesel::joinable!(google_sign_ins -> outbox (outbox_id));
diesel::joinable!(imports -> accounts (actor_id));
diesel::joinable!(invoice_orders -> invoices (invoice_id));
diesel::joinable!(invoice_orders -> orders (order_id));
diesel::joinable!(invoices -> accounts (account_id));
diesel::joinable!(invoices -> checkouts (checkout_id));
diesel::joinable!(invoices -> invoice_series (series));
diesel::joinable!(invoices -> orders (order_id));
diesel::joinable!(invoices -> refunds (refund_id));
diesel::joinable!(lists -> accounts (account_id));
diesel::joinable!(notes -> orders (order_id));
diesel::joinable!(orders -> accounts (buyer_id));
diesel::joinable!(orders -> checkouts (checkout_id));
diesel::joinable!(orders -> products (product_id));
diesel::joinable!(outbox -> webhook_endpoints (endpoint_id));
diesel::joinable!(part_numbers -> brands (brand_id));
diesel::joinable!(passkeys -> accounts (account_id));
diesel::joinable!(payment_intents -> checkouts (checkout_id));
diesel::joinable!(payment_intents -> orders (order_id));
diesel::joinable!(payment_shares -> orders (order_id));
diesel::joinable!(payment_shares -> payment_intents (intent_id));
diesel::joinable!(price_list_accounts -> accounts (account_id));
diesel::joinable!(price_list_accounts -> price_lists (list_id));
diesel::joinable!(prices -> price_lists (list_id));
diesel::joinable!(prices -> products (product_id));
diesel::joinable!(product_attributes -> attributes (attribute_id));
diesel::joinable!(products -> accounts (archived_by));
diesel::joinable!(products -> brands (brand_id));
diesel::joinable!(products -> part_types (part_type_id));
diesel::joinable!(profiles -> accounts (account_id));
diesel::joinable!(recovery_codes -> accounts (account_id));
diesel::joinable!(refunds -> orders (order_id));
diesel::joinable!(restockings -> accounts (actor_id));
diesel::joinable!(restockings -> products (product_id));
diesel::joinable!(returns -> orders (order_id));
diesel::joinable!(returns -> refunds (refund_id));
diesel::joinable!(revenue_ledger -> orders (order_id));
diesel::joinable!(reviews -> products (product_id));
diesel::joinable!(second_factor_challenges -> sessions (session_id));
diesel::joinable!(sessions -> accounts (account_id));
diesel::joinable!(shipments -> orders (order_id));
diesel::joinable!(stock_corrections -> accounts (actor_id));
diesel::joinable!(stock_corrections -> products (product_id));
diesel::joinable!(stock_ledger -> returns (return_id));
diesel::joinable!(unconfirmed_mail -> outbox (outbox_id));
diesel::joinable!(webhook_endpoints -> accounts (added_by));

diesel::allow_tables_to_appear_in_same_query!(
    account_notices,
    account_tokens,
    accounts,
    addresses,
    authenticator_apps,
    brands,
    carts,
    checkouts,
    code_attempts,
    customer_totals,
    disputes,
    exemptions,
    feed_brands,
    feed_chunks,
    feed_findings,
    feeds,
    garage,
    google_sign_ins,
    imports,
    invoice_orders,
    invoice_series,
    invoices,
    lists,
    notes,
    orders,
    outbox,
    part_numbers,
    part_types,
    passkeys,
    payment_intents,
    payment_shares,
    price_list_accounts,
    price_lists,
    prices,
    products,
    profiles,
    recovery_codes,
    refunds,
    restockings,
    returns,
    revenue_ledger,
    reviews,
    second_factor_challenges,
    sessions,
    shipments,
    stock_corrections,
    stock_ledger,
    unconfirmed_mail,
    webhook_endpoints,
);
diesel::allow_tables_to_appear_in_same_query!(attributes, product_attributes,);
diesel::allow_tables_to_appear_in_same_query!(conditions, fitment_sources, fitments,);
