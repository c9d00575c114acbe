import { Drawer } from '@/ui/drawer';
import DashboardMenu from './dashboard-menu';
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
    <Drawer open onClose={onClose} label={inDashboard ? messages.dashboardMenu : messages.menu}>
      {inDashboard ? (
        <DashboardMenu onLeave={onClose} />
      ) : (
        <nav aria-label={messages.mainMenu}>
          <SiteLinks stacked onLeave={onClose} />
        </nav>
      )}
    </Drawer>
  );
}
