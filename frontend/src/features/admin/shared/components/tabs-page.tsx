import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router-dom';
import { usePageTitle } from '@/lib/use-page-title';
import { SegmentedControl } from '@/ui/segmented-control';

export interface Tab {
  value: string;
  label: string;
  List: ComponentType;
}

interface TabsPageProps {
  heading: string;
  intro: string;
  /** Names the choice. */
  label: string;
  /** The first is what stands when the address names none. */
  tabs: readonly [Tab, ...Tab[]];
}

/** A screen with several lists, of which the address names one (`?list=`). */
export function TabsPage({ heading, intro, label, tabs }: TabsPageProps) {
  usePageTitle(heading);
  const [params, setParams] = useSearchParams();
  const { value, List } = tabs.find((tab) => tab.value === params.get('list')) ?? tabs[0];
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{heading}</h1>
      <p className="mb-6 max-w-prose text-muted">{intro}</p>
      <div className="mb-6">
        <SegmentedControl
          label={label}
          value={value}
          options={tabs}
          onChoose={(list) => setParams({ list })}
        />
      </div>
      <List key={value} />
    </>
  );
}
