import {
  type Brand,
  type PartType,
  type Synonym,
  useListBrandsQuery,
  useListPartTypesQuery,
  useListSynonymsQuery,
  useRemoveBrandMutation,
  useRemovePartTypeMutation,
  useRemoveSynonymMutation,
  useSaveBrandMutation,
  useSavePartTypeMutation,
  useSaveSynonymMutation,
} from '@/api/parts';
import { categories, categoryLabel } from '@/lib/categories';
import { messages } from '../messages';
import { EntryList } from './entry-list';

const fresh = { refetchOnMountOrArgChange: true };

const idOf = (row: { id: number } | undefined) => (row ? { id: row.id } : {});

export function BrandList() {
  const answer = useListBrandsQuery(undefined, fresh);
  const [save] = useSaveBrandMutation();
  const [remove] = useRemoveBrandMutation();
  const { brands: words } = messages;
  return (
    <EntryList<Brand>
      answer={answer}
      kind={{
        words,
        fields: [{ name: 'name', label: words.name }],
        blank: { name: '' },
        columns: [{ header: words.name, cell: ({ name }) => name }],
        nameOf: ({ name }) => name,
        valuesOf: ({ name }) => ({ name }),
        save: ({ name = '' }, row) => save({ ...idOf(row), name }),
        remove: ({ id }) => remove(id),
      }}
    />
  );
}

export function PartTypeList() {
  const answer = useListPartTypesQuery(undefined, fresh);
  const [save] = useSavePartTypeMutation();
  const [remove] = useRemovePartTypeMutation();
  const { partTypes: words } = messages;
  return (
    <EntryList<PartType>
      answer={answer}
      kind={{
        words,
        fields: [
          { name: 'name', label: words.name },
          { name: 'category', label: words.category, options: categories },
        ],
        blank: { name: '', category: categories[0].value },
        columns: [
          { header: words.name, cell: ({ name }) => name },
          { header: words.category, cell: ({ category }) => categoryLabel(category) },
        ],
        nameOf: ({ name }) => name,
        valuesOf: ({ name, category }) => ({ name, category }),
        save: ({ name = '', category = '' }, row) => save({ ...idOf(row), name, category }),
        remove: ({ id }) => remove(id),
      }}
    />
  );
}

export function SynonymList() {
  const answer = useListSynonymsQuery(undefined, fresh);
  const [save] = useSaveSynonymMutation();
  const [remove] = useRemoveSynonymMutation();
  const { synonyms: words } = messages;
  return (
    <EntryList<Synonym>
      answer={answer}
      kind={{
        words,
        fields: [
          { name: 'word', label: words.word },
          { name: 'means', label: words.means },
        ],
        blank: { word: '', means: '' },
        columns: [
          { header: words.word, cell: ({ word }) => word },
          { header: words.means, cell: ({ means }) => means },
        ],
        nameOf: ({ word, means }) => words.pair(word, means),
        valuesOf: ({ word, means }) => ({ word, means }),
        save: ({ word = '', means = '' }, row) => save({ ...idOf(row), word, means }),
        remove: ({ id }) => remove(id),
      }}
    />
  );
}
