import { Rotate3d } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
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
    import(/* webpackChunkName: "close-up" */ './turntable'),
    steps.decode(),
  ]);
  return module.default;
}

interface TurnablePictureProps {
  img: string;
  name: string;
  alt?: string;
  /** What lies on the picture while it is not turned. */
  children?: ReactNode;
}

/** A picture of a product, and for some a button that lets it be turned. Nothing of that is loaded before it is pressed. */
export function TurnablePicture({ img, name, alt = name, children }: TurnablePictureProps) {
  const sheet = turntableOf(img);
  const [opened, setOpened] = useState<{ img: string; Turntable: Turntable } | null>(null);
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const closing = useRef(false);
  // Another picture is not turned.
  if (opened && opened.img !== img) setOpened(null);
  useEffect(() => {
    // The focus would be lost with the button that closed it.
    if (!opened && closing.current) button.current?.focus();
    closing.current = false;
  }, [opened]);
  const close = () => {
    closing.current = true;
    setOpened(null);
  };

  const open = async (steps: string) => {
    setBusy(true);
    try {
      setOpened({ img, Turntable: await loadTurntable(steps) });
    } catch {
      notify.error(messages.turnFailed);
    }
    setBusy(false);
  };

  return (
    <div className="relative">
      <ProductPicture
        img={img}
        alt={alt}
        sizes={PICTURE_SIZES}
        first
        className="rounded-box border border-base-300"
      />
      {!opened && children}
      {sheet && opened && <opened.Turntable sheet={sheet} name={name} onClose={close} />}
      {sheet && !opened && (
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
