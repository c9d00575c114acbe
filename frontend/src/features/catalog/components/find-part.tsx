import { useState } from 'react';
import type { Product } from '@/api/types';
import { FilterList } from '@/features/vehicles/components/filter-list';
import { formatMoney } from '@/lib/money';
import { useDebounced } from '@/lib/use-debounced';
import { useListProductsQuery } from '../api';

/** Milliseconds of rest before what was typed is looked for. */
const PAUSE = 300;
const SHOWN = 8;

interface FindPartProps {
  label: string;
  placeholder: string;
  onChoose: (product: Product) => void;
}

/** A field that finds parts by name or number, and hands over the one that is chosen. */
export default function FindPart({ label, placeholder, onChoose }: FindPartProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDebounced(typed.trim(), PAUSE);
  const isTyping = wanted !== typed.trim();
  const { currentData, isError, isFetching, refetch } = useListProductsQuery(
    { q: wanted, limit: SHOWN },
    { skip: wanted === '' },
  );
  const found = wanted === '' || typed.trim() === '' ? [] : (currentData?.items ?? []);
  return (
    <FilterList
      label={label}
      placeholder={placeholder}
      choices={found.map((product) => ({
        key: product._id,
        label: [product.partNumber, product.name, formatMoney(product.price)]
          .filter(Boolean)
          .join(' · '),
        product,
      }))}
      answer={{
        isError,
        isFetching: typed.trim() !== '' && (isFetching || isTyping),
        refetch: () => void refetch(),
      }}
      typed={typed}
      onType={setTyped}
      onChoose={({ product }) => {
        setTyped('');
        onChoose(product);
      }}
    />
  );
}
