import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Group, Item } from './items';

interface Found {
  search: string;
  groups: readonly Group[];
  busy: boolean;
}

/**
 * Which of the items is chosen: the first, until a key or the pointer moves on; while nothing is typed, only if it is where
 * one was before. Enter before the shop has answered waits for the answer, unless what is chosen was moved to.
 */
export function useChoice({ search, groups, busy }: Found, onChoose: (item: Item) => void) {
  const items = groups.flatMap((group) => group.items);
  const [moved, setMoved] = useState<{ to: string; search: string } | null>(null);
  const [awaited, setAwaited] = useState<string | null>(null);
  const movedTo = moved?.search === search ? items.findIndex(({ id }) => id === moved.to) : -1;
  const begins = search !== '' || groups[0]?.name === 'recent';
  const place = movedTo < 0 && begins ? 0 : movedTo;
  const active = items[place];

  const point = (item: Item | undefined) => {
    setAwaited(null);
    if (item) setMoved({ to: item.id, search });
  };
  const step = (by: 1 | -1) => {
    const from = place < 0 && by < 0 ? 0 : place;
    point(items.at((from + by) % items.length));
  };

  const isDue = awaited === search && !busy;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer has come.
  useEffect(() => {
    if (isDue && active) onChoose(active);
  }, [isDue]);

  const enter = () => {
    if (busy && movedTo < 0) setAwaited(search);
    else if (active) onChoose(active);
  };
  const actOn = (key: string) => {
    if (key === 'ArrowDown') return () => step(1);
    if (key === 'ArrowUp') return () => step(-1);
    if (key === 'PageDown') return () => point(items[Math.min(place + 5, items.length - 1)]);
    if (key === 'PageUp') return () => point(items[Math.max(place - 5, 0)]);
    return key === 'Enter' ? enter : null;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? null : actOn(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return { active, count: items.length, point, onKeyDown };
}
