import { type ComponentType, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { ProductPageSkeleton } from '@/features/catalog/components/product-skeleton';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { usePageTitle } from '@/lib/use-page-title';
import { DashboardSkeleton } from './dashboard-skeleton';
import { SignedInOnly } from './guards';
import { ScreenLoading } from './heading';
import { Layout } from './layout';
import { type Access, isInDashboard, type ScreenName, screenNames, screens } from './screens';

const NotFound = retryingLazy(
  () => import(/* webpackChunkName: "not-found" */ '@/features/content/pages/not-found-page'),
);
const DashboardShell = retryingLazy(
  () => import(/* webpackChunkName: "dashboard" */ './dashboard-shell'),
);
/** Comes with the dashboard, in which all screens of admins are. */
const AdminOnly = retryingLazy(() => import(/* webpackChunkName: "dashboard" */ './admin-only'));

const pages = new Map<ScreenName, ComponentType>();
for (const name of screenNames) pages.set(name, retryingLazy(screens[name].load));

function Page({ name }: { name: ScreenName }) {
  usePageTitle(screens[name].title);
  const Loaded = pages.get(name) ?? NotFound;
  return <Loaded />;
}

/** The routes of the screens with this access, in the dashboard or outside it. */
function routesOf(access: Access, dashboard: boolean) {
  const found = screenNames.filter(
    (name) => screens[name].access === access && isInDashboard(screens[name]) === dashboard,
  );
  return found.map((name) => {
    const { path } = screens[name];
    const address = path === paths.dashboard ? { index: true } : { path };
    return <Route key={name} caseSensitive {...address} element={<Page name={name} />} />;
  });
}

/** Every address of the client, in the spelling that the server knows it by. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout />}>
        {routesOf('public', false)}
        <Route element={<SignedInOnly skeleton={<ProductPageSkeleton />} />}>
          {routesOf('customer', false)}
        </Route>
        <Route element={<SignedInOnly skeleton={<DashboardSkeleton />} />}>
          <Route
            caseSensitive
            path={paths.dashboard}
            element={
              <Suspense fallback={<ScreenLoading skeleton={<DashboardSkeleton />} />}>
                <DashboardShell />
              </Suspense>
            }
          >
            {routesOf('customer', true)}
            <Route element={<AdminOnly />}>{routesOf('admin', true)}</Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
