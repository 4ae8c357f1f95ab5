# The image of hny: one program and the system libraries that the tests run on, without root and without a way in.
#
#     docker build --tag hny .
#     docker run --publish 127.0.0.1:8080:8080 --volume hny:/var/lib/hny --env HNY_BASE_URL=http://127.0.0.1:8080 hny
#
# Settings are variables (docs/configuration.md); deploy/compose.yaml has a whole installation.

FROM rust:1.95.0-slim-bookworm AS build
# The toolchain of this image is that of rust-toolchain.toml, whose other components are for tests.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked --package hny && cp target/release/hny /usr/local/bin/hny

FROM debian:12.12-slim
# What a database or cache with TLS is checked against.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /var/lib/hny --create-home --shell /usr/sbin/nologin hny
COPY --from=build /usr/local/bin/hny /usr/local/bin/hny
# Files whose place is not set, such as hny.db, are made here: put a volume here, or they go with the container.
WORKDIR /var/lib/hny
VOLUME /var/lib/hny
USER 10001:10001
ENV HNY_LISTEN=0.0.0.0:8080
EXPOSE 8080
# It asks the service on HNY_LISTEN for /readyz, so it needs no shell and no other program.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["hny", "health"]
ENTRYPOINT ["hny"]
CMD ["serve"]
