# syntax=docker/dockerfile:1
# The shop as one small image: the program with its web client and migrations inside, libpq, and nothing to log in with.
#
#   docker build --tag driveline .
#   docker run --read-only --tmpfs /tmp --env-file .env --publish 8080:8080 driveline

FROM node:20-bookworm-slim AS client
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY frontend ./
RUN npm run build

FROM rust:1.95-slim-bookworm AS program
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential libpq-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY crates crates
COPY migrations migrations
COPY --from=client /src/frontend/dist frontend/dist
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked --package driveline && cp target/release/driveline /driveline

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 \
    && rm -rf /var/lib/apt/lists/* \
    # Uploaded pictures, unless an image host stores them. Everything else may be read-only.
    && install --directory --owner 10001 --group 10001 /data
COPY --from=program /driveline /usr/local/bin/driveline
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["driveline"]
CMD ["serve"]
