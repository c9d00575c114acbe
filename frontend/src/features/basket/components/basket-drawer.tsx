import { buyingPaths } from '@/lib/buying-paths';
import { ButtonLink } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { basketMessages as messages } from '../messages';
import { BasketContent, BasketSum } from './basket-content';
import { BasketLines } from './basket-lines';

/** The basket beside whatever page is open. */
export default function BasketDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Drawer
      open
      atEnd
      label={messages.title}
      heading={messages.title}
      closeLabel={messages.close}
      onClose={onClose}
    >
      <BasketContent>
        {(lines) => (
          <>
            <BasketLines lines={lines} narrow />
            <div className="sticky bottom-0 -mx-4 grid gap-3 border-t border-base-300 bg-base-100 p-4">
              <BasketSum lines={lines} />
              <ButtonLink variant="ghost" to={buyingPaths.basket} className="w-full">
                {messages.view}
              </ButtonLink>
            </div>
          </>
        )}
      </BasketContent>
    </Drawer>
  );
}
