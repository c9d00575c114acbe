// Shops of a given size, and customers of theirs.
import { Shop } from './shop.mjs';

const ours = new URL('fill.sql', import.meta.url).pathname;

/** A database with so much in it. */
export async function database(postgres, name, { products, accounts, orders }) {
  postgres.create(name);
  const first = await Shop.start(postgres.url(name));
  await first.stop();
  postgres.file(name, ours, { products, accounts, orders });
}

/** Sessions of new customers who have paid before, so that they may have as many unpaid orders as they like. */
export async function customers(postgres, name, shop, count) {
  const tokens = [];
  for (let n = 0; n < count; n += 1) {
    const email = `customer.${process.pid}.${Date.now()}.${n}@example.com`;
    tokens.push(await shop.signUp({ name: 'Robin Vale', email, password: 'a password of the bench' }));
  }
  postgres.sql(
    name,
    `SET session_replication_role = replica;
    INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name,
        category, details, img, unit_price_cents, quantity, total_cents, placed_at, search_key, payment_state, transaction_id,
        paid_at, next_audit_at)
    SELECT gen_random_uuid(), accounts.id, 'A', email, '1', 'B', products.id, products.name, category, 'D', img, 500, 50, 25000,
        now(), 'a', 'paid', 'pi-' || accounts.id, now(), now() + interval '1 day'
    FROM accounts, (SELECT * FROM products LIMIT 1) AS products WHERE email LIKE 'customer.%'
    ON CONFLICT DO NOTHING`,
  );
  return tokens;
}
