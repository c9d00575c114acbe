import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from './cx';

/** How the rows are sorted by a column, and how to sort them by it, or the other way round. */
export interface ColumnSort {
  direction: 'ascending' | 'descending' | 'none';
  onSort: () => void;
}

const arrows = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown } as const;

export interface Column<Row> {
  /** The heading; on a phone it stands before the value. */
  header: string;
  cell: (row: Row, index: number) => ReactNode;
  /** Numbers stand right, so that their digits line up. */
  numeric?: boolean;
  /** Makes a button of the heading. */
  sort?: ColumnSort;
  className?: string;
}

interface DataTableProps<Row> {
  /** Names the table for who cannot see the heading above it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The number of the first row, where a page does not begin at 1. */
  offset?: number;
}

/** A heading that sorts. It is a button where the headings are seen; a phone has none. */
function SortButton({ header, sort }: { header: string; sort: ColumnSort }) {
  const Arrow = arrows[sort.direction];
  return (
    <button
      type="button"
      onClick={sort.onSort}
      className="inline-flex min-h-11 cursor-pointer items-center gap-1.5 hover:text-accent"
    >
      {header}
      <Arrow aria-hidden="true" className="size-4" />
    </button>
  );
}

/** Whether the element's content is wider than it is: it must then be reachable by keyboard, so that it can be scrolled. */
function useOverflow<T extends HTMLElement>() {
  const element = useRef<T>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const box = element.current;
    if (!box || typeof ResizeObserver === 'undefined') return;
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return { element, overflows };
}

/**
 * A table on a wide screen, a card per row on a phone. The roles are written out, because a table that is laid out as
 * blocks loses them.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  offset = 0,
}: DataTableProps<Row>) {
  const { element, overflows } = useOverflow<HTMLDivElement>();
  return (
    <div
      ref={element}
      {...(overflows ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
      className="relative overflow-x-auto md:rounded-box md:border md:border-base-300 md:bg-surface"
    >
      <table role="table" className="stacking-table w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row" className="border-b border-base-300 bg-base-200">
            {columns.map((column) => (
              <th
                key={column.header}
                role="columnheader"
                scope="col"
                // What a phone hides of it has to be said all the same.
                aria-label={column.sort && column.header}
                aria-sort={column.sort?.direction}
                className={cx(
                  'px-4 text-sm font-semibold',
                  !column.sort && 'py-3',
                  column.numeric && 'md:text-right',
                )}
              >
                {column.sort ? (
                  <>
                    <SortButton header={column.header} sort={column.sort} />
                    <span className="sr-only">{column.header}</span>
                  </>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="md:border-b md:border-base-300 md:last:border-b-0"
            >
              {columns.map((column) => (
                <td
                  key={column.header}
                  role="cell"
                  data-label={column.header}
                  className={cx(
                    'md:px-4 md:py-3',
                    column.numeric && 'md:text-right',
                    column.className,
                  )}
                >
                  <div className={cx('min-w-0', column.numeric && 'tabular-nums')}>
                    {column.cell(row, index + offset)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
