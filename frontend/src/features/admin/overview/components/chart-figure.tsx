import { type ReactNode, useState } from 'react';
import { SegmentedControl } from '@/ui/segmented-control';
import { messages } from '../messages';

const { chart: text } = messages;

const ways = [
  { value: 'chart', label: text.chart },
  { value: 'table', label: text.table },
] as const;

interface ChartFigureProps {
  title: string;
  note: string;
  chart: ReactNode;
  /** The same figures for who would rather read them, in the chart's place. */
  table: ReactNode;
}

/** A chart under its heading, and the table that says the same. */
export function ChartFigure({ title, note, chart, table }: ChartFigureProps) {
  const [way, setWay] = useState<(typeof ways)[number]['value']>('chart');
  return (
    <figure className="card-surface grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <figcaption className="min-w-0">
          <h2 className="text-2xl">{title}</h2>
          <p className="text-sm text-muted">{note}</p>
        </figcaption>
        <SegmentedControl label={text.showAs(title)} value={way} options={ways} onChoose={setWay} />
      </div>
      {way === 'chart' ? chart : table}
    </figure>
  );
}
