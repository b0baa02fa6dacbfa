"""SciPy's statistics and sparse matrices that are refused by name."""

from __future__ import annotations

_OBJECT = "it makes an object that is no plain array"
_ITERATIVE = "it iterates until it is content"
_TEST = "it is a test of a hypothesis: its result is no smooth number of the data"
_FIT = "it fits, by an algorithm of its own"
_RANKS = "it goes by ranks or bins, which do not change smoothly"
_NO_FORMULA = "no formula for its derivative is given here"

TABLE: dict[str, list[tuple[str, str, str]]] = {
    "scipy.sparse": [
        (
            "block_array bmat bsr_array bsr_matrix dia_array dia_matrix "
            "dok_array dok_matrix expand_dims find kronsum lil_array "
            "lil_matrix permute_dims rand random random_array spdiags "
            "swapaxes sparray spmatrix",
            _OBJECT,
            "use coo_array((data, (row, col))), whose entries are differentiated",
        ),
        (
            "get_index_dtype safely_cast_index_arrays load_npz save_npz "
            "isspmatrix isspmatrix_bsr isspmatrix_coo isspmatrix_csc "
            "isspmatrix_csr isspmatrix_dia isspmatrix_dok isspmatrix_lil",
            "it is about storage, not about numbers",
            "call it outside of the function",
        ),
    ],
    "scipy.sparse.linalg": [
        (
            "LaplacianNd LinearOperator SuperLU aslinearoperator factorized "
            "spilu splu use_solver",
            _OBJECT,
            "use spsolve",
        ),
        (
            "gcrotmk lgmres lsmr lsqr qmr tfqmr spsolve_triangular",
            _ITERATIVE,
            "use cg, bicgstab, gmres or spsolve",
        ),
        (
            "eigs eigsh lobpcg svds",
            _ITERATIVE,
            "use scipy.linalg.eigh or numpy.linalg.svd",
        ),
        (
            "expm expm_multiply funm_multiply_krylov inv is_sptriangular "
            "matrix_power norm onenormest spbandwidth",
            "no rule is known for sparse results",
            "use the function for dense arrays",
        ),
    ],
    "scipy.stats": [
        (
            "Binomial Logistic Mixture Normal Uniform Covariance CensoredData "
            "abs exp log truncate order_statistic make_distribution "
            "ecdf",
            _OBJECT,
            "use stats.norm and the other distributions",
        ),
        (
            "BootstrapMethod PermutationMethod MonteCarloMethod alexandergovern "
            "anderson anderson_ksamp ansari barnard_exact bartlett bayes_mvs "
            "binomtest bootstrap boschloo_exact brunnermunzel bws_test "
            "chatterjeexi chi2_contingency chisquare combine_pvalues "
            "cramervonmises cramervonmises_2samp dunnett epps_singleton_2samp "
            "f_oneway false_discovery_control fisher_exact fligner "
            "friedmanchisquare goodness_of_fit jarque_bera kendalltau kruskal "
            "ks_1samp ks_2samp kstest kurtosistest levene logrank mannwhitneyu "
            "median_test monte_carlo_test mood multiscale_graphcorr mvsdist "
            "normaltest page_trend_test permutation_test poisson_means_test "
            "power power_divergence quantile_test ranksums shapiro skewtest "
            "sobol_indices somersd ttest_1samp ttest_ind "
            "ttest_ind_from_stats ttest_rel tukey_hsd weightedtau wilcoxon",
            _TEST,
            "compute the statistic with NumPy, and its p-value with a distribution",
        ),
        (
            "boxcox_normmax boxcox_normplot fit ppcc_max ppcc_plot probplot "
            "yeojohnson_normmax yeojohnson_normplot yeojohnson_llf siegelslopes "
            "theilslopes expectile",
            _FIT,
            "maximise a log-likelihood with scipy.optimize",
        ),
        (
            "binned_statistic binned_statistic_2d binned_statistic_dd cumfreq "
            "percentileofscore relfreq scoreatpercentile quantile mode tmax "
            "tmin trim1 trim_mean trimboth sigmaclip lmoment obrientransform",
            _RANKS,
            "use np.quantile, np.sort or np.bincount",
        ),
        (
            "spearmanr spearmanrho",
            "it correlates ranks, which are constant but where two elements cross",
            "use pearsonr, or np.corrcoef of smooth ranks",
        ),
        (
            "describe differential_entropy directional_stats "
            "energy_distance kstatvar tsem wasserstein_distance_nd "
            "dirichlet_multinomial",
            _NO_FORMULA,
            "write it with NumPy: np.mean, np.var, np.corrcoef, np.polyfit",
        ),
    ],
}
