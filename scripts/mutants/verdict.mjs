// What is to be said of the outcomes of cargo-mutants: which faults tests have to notice, and how many.
import { readFileSync } from 'node:fs';

/** Of these every fault has to be noticed: they hold money, stock, roles and settlement. */
export const critical = [
  ...['access', 'account', 'assurance'].map((file) => `crates/domain/src/accounts/${file}.rs`),
  ...['quantity', 'stock'].map((file) => `crates/domain/src/catalog/${file}.rs`),
  ...['assessment', 'order_lines', 'standing'].map((file) => `crates/domain/src/checkout/${file}.rs`),
  ...['item', 'order', 'refusals', 'replay', 'returns', 'shipment', 'state'].map((file) => `crates/domain/src/orders/${file}.rs`),
  ...['bearing', 'payable', 'payment', 'refund'].map((file) => `crates/domain/src/payments/${file}.rs`),
  'crates/domain/src/platform/money.rs',
  ...['ladder', 'price', 'price_list', 'unit_price'].map((file) => `crates/domain/src/pricing/${file}.rs`),
  'crates/domain/src/tax/sums.rs',
  ...['change_role', 'identify', 'read_role', 'remove_account'].map((file) => `crates/application/src/accounts/${file}.rs`),
  ...['correct_stock', 'restock_product'].map((file) => `crates/application/src/catalog/${file}.rs`),
  ...['assess', 'cancel_checkout', 'judge_lines', 'place_checkout', 'set_freight', 'settle_checkout'].map(
    (file) => `crates/application/src/checkout/${file}.rs`,
  ),
  ...['cancel_abandoned', 'cancel_order', 'expire_orders', 'place_order', 'returns', 'ship_order', 'shipments'].map(
    (file) => `crates/application/src/orders/${file}.rs`,
  ),
  ...['audit_payments', 'handle_event', 'open_payment', 'pay_back', 'provider_answers', 'reconcile_payments', 'refund_order'].map(
    (file) => `crates/application/src/payments/${file}.rs`,
  ),
  ...['review_payment', 'settle_payment', 'settle_shares', 'stop_payments'].map((file) => `crates/application/src/payments/${file}.rs`),
];

export const isCritical = (file) => critical.includes(file);

/** How many of a hundred faults of all else have to be noticed. */
const LEAST = 90;

const SAYS = { CaughtMutant: 'caught', MissedMutant: 'missed', Timeout: 'timeout', Unviable: 'unviable' };

/** The outcomes by mutant, of what cargo-mutants writes as outcomes.json. An outcome that is not known here is an error. */
export function outcomes(written) {
  return written.outcomes
    .filter(({ scenario }) => scenario.Mutant)
    .map(({ scenario: { Mutant }, summary }) => {
      if (!SAYS[summary]) throw new Error(`${Mutant.name}: what is ${summary}?`);
      return { name: Mutant.name, file: Mutant.file, outcome: SAYS[summary] };
    });
}

/** The counts in lines, and what is wrong with them. */
export function judge(all) {
  const lines = [];
  const complaints = [];
  for (const [what, some] of [['critical', all.filter(({ file }) => isCritical(file))], ['other', all.filter(({ file }) => !isCritical(file))]]) {
    const count = (outcome) => some.filter((one) => one.outcome === outcome).length;
    const [caught, missed] = [count('caught') + count('timeout'), count('missed')];
    if (caught + missed === 0) continue;
    const percent = (100 * caught) / (caught + missed);
    lines.push(
      `${what.padEnd(9)} ${caught + missed} mutants that compile: ${caught} caught, ${count('timeout')} of them by a test that did not end; ` +
        `${missed} missed: ${percent.toFixed(1)} %`,
    );
    if (what === 'other' && percent < LEAST) complaints.push(`only ${percent.toFixed(1)} % of what is not critical are caught`);
  }
  if (lines.length === 0) complaints.push('nothing was tried');
  const missed = all.filter(({ file, outcome }) => isCritical(file) && outcome === 'missed');
  complaints.push(...missed.map(({ name }) => `no test notices ${name}`));
  return { lines, complaints };
}

/** Outcomes as cargo-mutants writes them, in which all is well, each time with another fault; what the judge overlooks is returned. */
export function plantedVerdicts() {
  const recorded = () => JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'));
  const overlooked = [];
  const expect = (what, change, said) => {
    const written = recorded();
    change(written.outcomes);
    const { complaints } = judge(outcomes(written));
    const found = said === null ? complaints.length === 0 : complaints.some((one) => one.includes(said));
    if (!found) overlooked.push(`the judge errs about ${what}: ${complaints.join('; ') || 'no complaint'}`);
  };
  const of = (list, file) => list.filter(({ scenario }) => scenario.Mutant?.file.endsWith(file));
  expect('outcomes in order', () => {}, null);
  expect('a critical fault that is missed', (list) => (of(list, 'money.rs')[0].summary = 'MissedMutant'), 'no test notices crates/domain/src/platform/money.rs');
  expect('too many faults that are missed', (list) => of(list, 'slug.rs').forEach((one) => (one.summary = 'MissedMutant')), 'only 0.0 %');
  expect('a run that tried nothing', (list) => list.splice(0), 'nothing was tried');
  expect('faults that do not compile', (list) => list.forEach((one) => one.scenario.Mutant && (one.summary = 'Unviable')), 'nothing was tried');
  return overlooked;
}
