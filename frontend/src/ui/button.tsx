import type { ButtonHTMLAttributes } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { cx } from './cx';
import { Spinner } from './spinner';

type Look = 'primary' | 'outline' | 'ghost' | 'danger';

const looks: Record<Look, string> = {
  primary: 'btn btn-primary',
  outline: 'btn btn-outline',
  ghost: 'btn btn-ghost',
  danger: 'btn btn-error',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** Shows a spinner and takes no second click; the label stays, so that nothing jumps. */
  busy?: boolean;
}

export function Button({
  look = 'primary',
  busy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(looks[look], className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy && <Spinner small />}
      {children}
    </button>
  );
}

interface ButtonLinkProps extends LinkProps {
  look?: Look;
}

export function ButtonLink({ look = 'primary', className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={cx(looks[look], className)} />;
}
