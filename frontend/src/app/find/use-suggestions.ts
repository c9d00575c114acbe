import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { type FoundVehicle, looksLikeNumber, type Part, partsApi } from '@/api/parts';
import type { Store } from '../store';

/** Milliseconds of rest after which the shop is asked. */
const TYPING_PAUSE = 150;
/** The most of each kind, and of all together. */
const NUMBERS = 4;
const VEHICLES = 2;
const ALL = 8;

export interface Suggested {
  /** What it was asked for. */
  search: string;
  numbers: readonly Part[];
  parts: readonly Part[];
  vehicles: readonly FoundVehicle[];
  busy: boolean;
  /** Whether no call was answered. */
  failed: boolean;
}

const NOTHING: Suggested = {
  search: '',
  numbers: [],
  parts: [],
  vehicles: [],
  busy: false,
  failed: false,
};

/** A vehicle is said in words: "2014 camry v6". */
const looksLikeVehicle = (text: string) => text.replace(/[^\p{L}]/gu, '').length >= 3;

/** At most eight in all: the numbers first, each part once, and room for a vehicle or two. */
export function shareRoom(numbers: Part[], parts: Part[], vehicles: FoundVehicle[]) {
  const first = numbers.slice(0, NUMBERS);
  const last = vehicles.slice(0, VEHICLES);
  const others = parts.filter(({ _id }) => first.every((part) => part._id !== _id));
  return {
    numbers: first,
    parts: others.slice(0, ALL - first.length - last.length),
    vehicles: last,
  };
}

/** What the shop suggests for a text, once typing rests. Whoever types on no longer waits for what was typed before. */
export function useSuggestions(text: string): Suggested {
  const dispatch = useDispatch<Store['dispatch']>();
  const [found, setFound] = useState(NOTHING);
  const search = text.trim();

  useEffect(() => {
    if (search === '') {
      setFound(NOTHING);
      return;
    }
    let wanted = true;
    let leave = () => {};
    setFound((before) => ({ ...before, busy: true, failed: false }));
    const timer = setTimeout(async () => {
      const { findByNumber, searchProducts, searchVehicles } = partsApi.endpoints;
      const [numbers, parts, vehicles] = [
        looksLikeNumber(search) ? dispatch(findByNumber.initiate(search)) : null,
        dispatch(
          searchProducts.initiate([
            ['limit', String(ALL)],
            ['q', search],
          ]),
        ),
        looksLikeVehicle(search) ? dispatch(searchVehicles.initiate(search)) : null,
      ];
      leave = () => {
        for (const call of [numbers, parts, vehicles]) {
          call?.abort();
          call?.unsubscribe();
        }
      };
      const [byNumber, byWords, ofVehicles] = await Promise.all([numbers, parts, vehicles]);
      if (!wanted) return;
      const answered = [byNumber, byWords, ofVehicles].some((answer) => answer?.data);
      setFound({
        search,
        ...shareRoom(byNumber?.data?.products ?? [], byWords.data ?? [], ofVehicles?.data ?? []),
        busy: false,
        failed: !answered,
      });
    }, TYPING_PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
      leave();
    };
  }, [search, dispatch]);

  return found;
}
