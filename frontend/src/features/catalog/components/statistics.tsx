import { homeMessages } from '../pages/messages';

const { label: heading, purchases, views, shipping } = homeMessages.statistics;
const figures = [purchases, views, shipping];

/** Fixed text (spec, section 2). */
export function Statistics() {
  return (
    <section aria-label={heading} className="border-y border-base-300 bg-base-200">
      <dl className="shell grid gap-8 py-12 sm:grid-cols-3">
        {figures.map(({ label, value, note }) => (
          <div key={label} className="flex flex-col border-l-4 border-primary pl-5">
            <dt className="order-2 font-semibold">{label}</dt>
            <dd className="order-1 font-display text-6xl leading-none font-bold">{value}</dd>
            {note && <dd className="order-3 text-muted">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
