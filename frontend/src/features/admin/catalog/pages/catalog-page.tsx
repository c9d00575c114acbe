import { useSearchParams } from 'react-router-dom';
import { CoverageList } from '@/features/admin/fitment/components/coverage-list';
import { messages as fitment } from '@/features/admin/fitment/messages';
import { usePageTitle } from '@/lib/use-page-title';
import { SegmentedControl } from '@/ui/segmented-control';
import { BrandList, PartTypeList, SynonymList } from '../components/lists';
import { messages } from '../messages';

const lists = [
  { value: 'brands', label: messages.brands.title, List: BrandList },
  { value: 'partTypes', label: messages.partTypes.title, List: PartTypeList },
  { value: 'synonyms', label: messages.synonyms.title, List: SynonymList },
  { value: 'coverage', label: fitment.coverage.title, List: CoverageList },
] as const;

/** What parts are distinguished and found by: one list at a time, which the address names. */
export default function CatalogPage() {
  usePageTitle(messages.heading);
  const [params, setParams] = useSearchParams();
  const { value, List } = lists.find((each) => each.value === params.get('list')) ?? lists[0];
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.heading}</h1>
      <div className="mb-6">
        <SegmentedControl
          label={messages.lists}
          value={value}
          options={lists}
          onChoose={(list) => setParams({ list })}
        />
      </div>
      <List key={value} />
    </>
  );
}
