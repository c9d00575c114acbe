import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { VehicleId } from '@/features/vehicles/components/vehicle-bar';
import { useGetFitQuery } from './api';

const numberIn = (params: URLSearchParams, name: string) => {
  const number = Number(params.get(name));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** The vehicle of the address, what the shop says of the part and it, and what was ticked. */
export function useFit(productId: string, known: boolean) {
  const [params, setParams] = useSearchParams();
  const id = numberIn(params, 'vehicle');
  const engine = numberIn(params, 'engine');
  const vehicle: VehicleId | null =
    id === undefined ? null : { vehicle: id, ...(engine === undefined ? {} : { engine }) };
  const key = `${productId} ${id} ${engine}`;
  const [ticked, setTicked] = useState<{ of: string; conditions: number[] }>();
  const answer = useGetFitQuery(
    { id: productId, vehicle: id ?? 0, ...(engine === undefined ? {} : { engine }) },
    { skip: id === undefined || !known, refetchOnMountOrArgChange: true },
  );
  const choose = (chosen: VehicleId | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('vehicle');
        next.delete('engine');
        if (chosen) next.set('vehicle', String(chosen.vehicle));
        if (chosen?.engine !== undefined) next.set('engine', String(chosen.engine));
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    vehicle,
    choose,
    fit: vehicle ? answer.currentData : undefined,
    failed: answer.isError && !answer.isFetching,
    onRetry: () => void answer.refetch(),
    // What was ticked for another vehicle says nothing of this one.
    confirmed: ticked?.of === key ? ticked.conditions : [],
    onConfirm: (conditions: number[]) => setTicked({ of: key, conditions }),
  };
}
