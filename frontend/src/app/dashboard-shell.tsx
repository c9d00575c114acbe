import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import DashboardMenu from './dashboard-menu';
import { ScreenLoading } from './heading';

/** The dashboard: side menu beside the screen; on small screens the menu lives in the top bar's drawer. */
export default function DashboardShell() {
  return (
    <div className="shell grid gap-8 py-8 not-print:lg:grid-cols-[14rem_minmax(0,1fr)]">
      <aside className="site-frame max-lg:hidden">
        <div className="sticky top-24">
          <DashboardMenu />
        </div>
      </aside>
      <div className="min-w-0">
        <Suspense fallback={<ScreenLoading />}>
          <Outlet />
        </Suspense>
      </div>
    </div>
  );
}
