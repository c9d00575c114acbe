import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import DashboardMenu from './dashboard-menu';
import { dashboardFrame } from './dashboard-skeleton';
import { ScreenLoading } from './heading';

/** The dashboard: side menu beside the screen; on small screens the menu lives in the top bar's drawer. */
export default function DashboardShell() {
  return (
    <div className={dashboardFrame}>
      <aside className="site-frame max-lg:hidden">
        {/* Taller than a small screen, it scrolls by itself: beside a long page its end would come only with the page's. */}
        <div className="sticky top-24 max-h-[calc(100dvh-7rem)] overflow-y-auto">
          <DashboardMenu />
        </div>
      </aside>
      <div className="min-w-0">
        <Suspense fallback={<ScreenLoading late />}>
          <Outlet />
        </Suspense>
      </div>
    </div>
  );
}
