import { Drawer } from '@/ui/drawer';
import DashboardMenu, { Row } from './dashboard-menu';
import { messages as late } from './late-messages';
import { shopLinks } from './menus';
import * as messages from './messages';
import { SiteLinks } from './site-links';

/** The menu of small screens: the dashboard's own there, else the bar's links. */
export default function MenuDrawer({
  inDashboard,
  onClose,
}: {
  inDashboard: boolean;
  onClose: () => void;
}) {
  return (
    <Drawer open onClose={onClose} label={inDashboard ? late.dashboardMenu : late.menu}>
      {inDashboard ? (
        <>
          <nav aria-label={messages.mainMenu}>
            <ul>
              {shopLinks.map((link) => (
                <Row key={link.to} link={link} />
              ))}
            </ul>
          </nav>
          <DashboardMenu onLeave={onClose} />
        </>
      ) : (
        <nav aria-label={messages.mainMenu}>
          <SiteLinks stacked onLeave={onClose} />
        </nav>
      )}
    </Drawer>
  );
}
