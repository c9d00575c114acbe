// What of a shop grows that must not, as samples over time say: the judge of soak.mjs.

/** How many samples there are of a whole run. */
export const SLICES = 60;

/** What must not grow: unit, and how much more the last sixth may have than the second, in the unit or as a part. */
const FLAT = {
  descriptors: { unit: 'file descriptors', more: 16, part: 0 },
  connections: { unit: 'connections to the database', more: 2, part: 0 },
  resident: { unit: 'MiB of memory', more: 8, part: 0.05 },
};

const middle = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** What has grown from the second sixth of the samples to the last, in words. */
export function grown(samples) {
  const sixth = Math.floor(samples.length / 6);
  return Object.entries(FLAT).flatMap(([what, { unit, more, part }]) => {
    const of = (some) => middle(some.map((one) => one[what]));
    const [before, after] = [of(samples.slice(sixth, 2 * sixth)), of(samples.slice(-sixth))];
    return after > before * (1 + part) + more ? [`${Math.round(before)} ${unit} became ${Math.round(after)}`] : [];
  });
}

/** Samples in which all is as it should be, each time with something that leaks; what is not noticed is returned. */
export function plantedLeaks() {
  const flat = (n) => ({ descriptors: 200 + (n % 3), connections: 12, resident: 340 + (n % 5) });
  const leaks = { descriptors: (n) => n, connections: (n) => n / 10, resident: (n) => n, nothing: () => 0 };
  return Object.entries(leaks).flatMap(([what, leak]) => {
    const samples = Array.from({ length: SLICES }, (_, n) => ({ ...flat(n), ...(FLAT[what] && { [what]: flat(n)[what] + leak(n) }) }));
    const words = grown(samples);
    return (words.length > 0) === (what !== 'nothing') ? [] : [`the judge errs about a leak of ${what}: ${words.join('; ') || 'nothing grew'}`];
  });
}
