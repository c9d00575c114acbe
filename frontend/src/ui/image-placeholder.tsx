import { cx } from './cx';

interface ImagePlaceholderProps {
  /** As of the picture that will stand here. */
  sizes: string;
  className?: string;
}

/**
 * Room for a product's picture while nothing is known of it. Where the page brought its products along, src/boot.ts shows
 * their pictures here, before the client has come.
 */
export function ImagePlaceholder({ sizes, className }: ImagePlaceholderProps) {
  return (
    <span
      aria-hidden="true"
      className={cx('skeleton block aspect-4/3 w-full overflow-hidden bg-base-300', className)}
    >
      <img
        data-first-picture=""
        hidden
        alt=""
        sizes={sizes}
        width={640}
        height={480}
        className="size-full bg-backdrop object-cover"
      />
    </span>
  );
}
