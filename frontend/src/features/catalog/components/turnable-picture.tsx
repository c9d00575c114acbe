import { Rotate3d } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { ProductPicture } from '@/ui/product-picture';
import { productMessages as messages } from '../pages/messages';
import { turntableOf } from '../turntables';
import { PICTURE_SIZES } from './product-skeleton';
import type TurntableComponent from './turntable';

type Turntable = ComponentType<React.ComponentProps<typeof TurntableComponent>>;

/** Loads what it takes to turn a part: the code, and the steps, so that none of them shows half. */
async function loadTurntable(sheet: string): Promise<Turntable> {
  const steps = new Image();
  steps.src = sheet;
  const [module] = await Promise.all([
    import(/* webpackChunkName: "turntable" */ './turntable'),
    steps.decode(),
  ]);
  return module.default;
}

/** The product's picture, and for some a button that lets it be turned. Nothing of that is loaded before it is pressed. */
export function TurnablePicture({ img, name }: { img: string; name: string }) {
  const sheet = turntableOf(img);
  const [Turntable, setTurntable] = useState<Turntable | null>(null);
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The focus would be lost with the button that closed it.
    if (!Turntable && wasOpen.current) button.current?.focus();
    wasOpen.current = Turntable !== null;
  }, [Turntable]);

  const open = async (steps: string) => {
    setBusy(true);
    try {
      const loaded = await loadTurntable(steps);
      setTurntable(() => loaded);
    } catch {
      notify.error(messages.turnFailed);
    }
    setBusy(false);
  };

  return (
    <div className="relative">
      <ProductPicture
        img={img}
        alt={name}
        sizes={PICTURE_SIZES}
        first
        className="rounded-box border border-base-300"
      />
      {sheet && Turntable && (
        <Turntable sheet={sheet} name={name} onClose={() => setTurntable(null)} />
      )}
      {sheet && !Turntable && (
        <Button
          ref={button}
          variant="outline"
          busy={busy}
          onClick={() => void open(sheet)}
          className="absolute right-3 bottom-3 border-edge bg-surface"
        >
          {!busy && <Rotate3d aria-hidden="true" className="size-5" />}
          {messages.turn}
        </Button>
      )}
    </div>
  );
}
