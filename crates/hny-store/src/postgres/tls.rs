//! TLS by rustls, as the URL asks for it.

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use thiserror::Error as ThisError;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::postgres_url::TlsMode;
use crate::{PostgresUrl, error::Cause};

/// Why no connection could be protected as asked.
#[derive(Debug, ThisError)]
pub(super) enum TlsError {
    /// The file of `sslrootcert` is no good.
    #[error("the file of sslrootcert cannot be read, or has no certificate in it")]
    RootFile(#[source] Option<Cause>),
    /// The system knows no authority.
    #[error("this system has no list of certificate authorities; name a file by sslrootcert")]
    NoRoots,
    /// A fault of ours.
    #[error("TLS cannot be set up")]
    Setup(#[source] Cause),
}

/// What protects the connections to a server.
pub(super) fn connector(url: &PostgresUrl) -> Result<MakeRustlsConnect, TlsError> {
    let provider = Arc::new(ring::default_provider());
    let setup = |error: Error| TlsError::Setup(Arc::new(error));
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(setup)?;
    let verifier =
        Arc::new(Verifier { authority: authority(url, &provider)?, name: url.tls == TlsMode::VerifyFull, provider });
    let config = builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Who must have signed the server's certificate; `None` asks nobody.
fn authority(url: &PostgresUrl, provider: &Arc<CryptoProvider>) -> Result<Option<Arc<WebPkiServerVerifier>>, TlsError> {
    let roots = match (&url.root_certificates, url.tls) {
        (_, TlsMode::Disable | TlsMode::Prefer) | (None, TlsMode::Require) => return Ok(None),
        // libpq's word for the system's own list.
        (Some(path), _) if path == Path::new("system") => roots_of_system()?,
        (Some(path), _) => roots_of_file(path)?,
        (None, TlsMode::VerifyAuthority | TlsMode::VerifyFull) => roots_of_system()?,
    };
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
    Ok(Some(verifier.build().map_err(|error| TlsError::Setup(Arc::new(error)))?))
}

fn roots_of_system() -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() { Err(TlsError::NoRoots) } else { Ok(roots) }
}

fn roots_of_file(path: &Path) -> Result<RootCertStore, TlsError> {
    let unreadable = |error: Cause| TlsError::RootFile(Some(error));
    let file = std::fs::File::open(path).map_err(|error: io::Error| unreadable(Arc::new(error)))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_reader_iter(BufReader::new(file)) {
        let certificate = certificate.map_err(|error| unreadable(Arc::new(error)))?;
        roots.add(certificate).map_err(|error| unreadable(Arc::new(error)))?;
    }
    if roots.is_empty() { Err(TlsError::RootFile(None)) } else { Ok(roots) }
}

/// Asks of a certificate what the mode says. That the server has the key of the certificate is checked in every mode.
#[derive(Debug)]
struct Verifier {
    authority: Option<Arc<WebPkiServerVerifier>>,
    /// Whether the certificate must be for the host of the URL.
    name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else {
            return Ok(ServerCertVerified::assertion());
        };
        match authority.verify_server_cert(certificate, intermediates, server, ocsp, now) {
            // The name is looked at last, when everything else is right.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.name => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
