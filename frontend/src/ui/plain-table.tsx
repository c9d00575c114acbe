import { cx } from './cx';

interface PlainTableProps {
  caption: string;
  /** The first column names the row. */
  headers: readonly string[];
  rows: readonly (readonly string[])[];
  /** Figures stand right, so that their digits line up. */
  figures?: boolean;
  /** A height, where the table has to scroll in its own room. */
  className?: string;
}

/** A small table of words or figures that keeps its columns on a phone too. */
export function PlainTable({
  caption,
  headers,
  rows,
  figures = false,
  className,
}: PlainTableProps) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
      tabIndex={0}
      className={cx('overflow-auto rounded-field border border-base-300', className)}
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-base-200">
          <tr>
            {headers.map((header, place) => (
              <th
                key={header}
                scope="col"
                className={cx(
                  'px-3 py-2 text-sm font-semibold xs:px-4',
                  figures && place > 0 && 'text-right',
                )}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={[name, ...cells].join('\n')} className="border-t border-base-300 align-top">
              <th scope="row" className="px-3 py-2 font-normal whitespace-nowrap xs:px-4">
                {name}
              </th>
              {cells.map((cell, place) => (
                <td
                  key={headers[place + 1]}
                  className={cx('px-3 py-2 break-words xs:px-4', figures && 'text-right')}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
