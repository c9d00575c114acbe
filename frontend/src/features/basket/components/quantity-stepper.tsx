import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { quantityAdjusted } from '@/lib/messages';
import { CLAMP_DELAY, clampQuantity } from '@/lib/use-clamped-quantity';
import { basketMessages as messages } from '../messages';

/** As wide as its two buttons and the field between them. */
export const STEPPER_WIDTH = '9.5rem';

/** How many units one press adds or takes away. */
const STEP = 10;
/** Milliseconds after the last key before a quantity that can be ordered counts. */
const SETTLE_DELAY = 500;

interface Quantity {
  value: number;
  min: number;
  max: number;
  onChange: (quantity: number) => void;
}

/** A quantity while it is typed. It follows a value that comes from elsewhere, such as from another device. */
function useTyped({ value, min, max, onChange }: Quantity) {
  const [text, setText] = useState(String(value));
  const [said, setSaid] = useState('');
  const known = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(String(value));
  }, [value]);

  const settle = (typed: string) => {
    clearTimeout(timer.current);
    const quantity = clampQuantity(typed, min, max);
    const requested = Math.trunc(Number(typed));
    setText(String(quantity));
    if (String(quantity) !== typed) {
      const reason = requested > quantity ? 'stock' : 'minimum';
      setSaid(quantityAdjusted(quantity, requested === quantity ? null : reason));
    }
    if (quantity === known.current) return;
    known.current = quantity;
    onChange(quantity);
  };
  const change = (typed: string) => {
    clearTimeout(timer.current);
    setSaid('');
    setText(typed);
    const inOrder = String(clampQuantity(typed, min, max)) === typed;
    timer.current = setTimeout(() => settle(typed), inOrder ? SETTLE_DELAY : CLAMP_DELAY);
  };
  const step = (units: number) => {
    setSaid('');
    settle(String(Math.min(Math.max(clampQuantity(text, min, max) + units, min), max)));
  };
  return { text, said, change, step, settle: () => settle(text) };
}

const button = 'btn btn-outline btn-square rounded-none first:rounded-l-field last:rounded-r-field';

interface QuantityStepperProps extends Quantity {
  name: string;
  /** The id of what is said of this line. */
  describedBy?: string | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** How many: typed, or in steps, never below the minimum and never above the stock. */
export function QuantityStepper({ name, describedBy, onKeyDown, ...props }: QuantityStepperProps) {
  const { value, min, max } = props;
  const typed = useTyped(props);
  const id = useId();
  return (
    <div className="grid gap-1">
      <div className="flex">
        <button
          type="button"
          className={button}
          aria-label={messages.less(STEP, name)}
          disabled={value <= min}
          onClick={() => typed.step(-STEP)}
        >
          <Minus aria-hidden="true" className="size-4" />
        </button>
        <input
          inputMode="numeric"
          autoComplete="off"
          data-quantity
          className="h-11 w-16 border-y border-edge bg-surface text-center font-semibold"
          aria-label={messages.quantityOf(name)}
          aria-describedby={describedBy ? `${id} ${describedBy}` : id}
          value={typed.text}
          onChange={(event) => typed.change(event.target.value)}
          onBlur={typed.settle}
          onKeyDown={(event) => {
            if (event.key === 'Enter') typed.settle();
            onKeyDown?.(event);
          }}
        />
        <button
          type="button"
          className={button}
          aria-label={messages.more(STEP, name)}
          disabled={value >= max}
          onClick={() => typed.step(STEP)}
        >
          <Plus aria-hidden="true" className="size-4" />
        </button>
      </div>
      <span id={id} className="sr-only">
        {messages.minimum(min, max)}
      </span>
      <p role="status" className="text-sm font-semibold text-accent empty:hidden">
        {typed.said}
      </p>
    </div>
  );
}
