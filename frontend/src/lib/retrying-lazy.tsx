import { type ComponentType, lazy } from 'react';

/** Begins anew what did not arrive. */
const failed = new Set<() => void>();

/** Lets code that did not arrive be asked for again; to be called before its screen is drawn anew. */
export function retryFailedCode(): void {
  for (const begin of failed) begin();
  failed.clear();
}

/** React's `lazy` keeps a failure for ever. This one forgets it at the next `retryFailedCode`. */
export function retryingLazy<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props>;
  const begin = () => {
    Loaded = lazy(() =>
      load().catch((error: unknown) => {
        failed.add(begin);
        throw error;
      }),
    ) as unknown as ComponentType<Props>;
  };
  begin();
  return (props) => <Loaded {...props} />;
}
