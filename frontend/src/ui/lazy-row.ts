import type { CSSProperties } from 'react';

/** A row of a long list, which the browser lays out once it comes near. For what is not rendered ahead of time. */
export const lazyRow: CSSProperties = {
  contentVisibility: 'auto',
  containIntrinsicSize: 'auto 6rem',
};
